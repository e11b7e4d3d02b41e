import Foundation

let queue = OperationQueue()
