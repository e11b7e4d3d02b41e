import Foundation

let indicator = TerminalIndicator("")
