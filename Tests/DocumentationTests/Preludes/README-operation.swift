import Foundation
import NetworkIndicator

let manager = NetworkIndicatorManager.shared
let operation = BlockOperation()
