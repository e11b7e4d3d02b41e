import Foundation
import NetworkIndicatorTerminal

let indicator = TerminalIndicator(label: { "Fetching" })
