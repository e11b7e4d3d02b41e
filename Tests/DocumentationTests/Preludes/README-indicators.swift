import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorUI
import UIKit

let manager = NetworkIndicatorManager.shared
let spinner = UIActivityIndicatorView(style: .medium)
var title = "Ready"
