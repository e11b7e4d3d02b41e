import Foundation
import NetworkIndicator

let operation = BlockOperation {}
let queue = OperationQueue()
