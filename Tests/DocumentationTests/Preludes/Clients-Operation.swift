import Foundation
import NetworkIndicator

let operation = BlockOperation {}
