import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

let url = URL(string: "https://example.com")!
