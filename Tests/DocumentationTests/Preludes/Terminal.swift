import Foundation
import NetworkIndicatorTerminal

let indicator = TerminalIndicator("Fetching")
