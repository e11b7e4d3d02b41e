import Foundation
import NetworkIndicator

let operation = BlockOperation { Thread.sleep(forTimeInterval: 0.1) }
let queue = OperationQueue()
