import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorTerminal
import NetworkIndicatorTransfers

let manager = NetworkIndicatorManager.shared
let url = URL(string: "https://example.com/film.mp4")!
