import Foundation
import FoundationNetworking
import NetworkIndicator
import NetworkIndicatorTransfers
import NetworkIndicatorURLSession

let url = URL(string: "https://example.com/atlas.zip")!
