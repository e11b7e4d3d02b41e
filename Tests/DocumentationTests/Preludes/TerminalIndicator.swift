import Foundation

let queue = OperationQueue()
let indicator = TerminalIndicator("")
