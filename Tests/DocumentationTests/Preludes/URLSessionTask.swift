import Foundation
import FoundationNetworking
import NetworkIndicatorURLSession

let url = URL(string: "https://example.com")!
