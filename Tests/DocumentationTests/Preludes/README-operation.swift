import Foundation
import NetworkIndicator

let manager = NetworkIndicatorManager.shared
let queue = OperationQueue()
