import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorUI
import UIKit

let manager = NetworkIndicatorManager.shared
let spinner = UIActivityIndicatorView(style: .medium)
final class MyIndicator: ActivityIndicator {
    func setVisible(_ isVisible: Bool) {}
}
let myIndicator = MyIndicator()
var title = "Ready"
