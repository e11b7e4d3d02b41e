import Foundation
import NetworkIndicator
import NetworkIndicatorTerminal

let progress = Progress(totalUnitCount: 10)
