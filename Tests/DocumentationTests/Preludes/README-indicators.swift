import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorUI
import UIKit

let manager = NetworkIndicatorManager.shared
let activityIndicatorView = UIActivityIndicatorView(style: .medium)
final class MyIndicator: ActivityIndicator {
    func setVisible(_ isVisible: Bool) {}
}
let myIndicator = MyIndicator()
