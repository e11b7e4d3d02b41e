import Foundation
import NetworkIndicator
import NetworkIndicatorURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
let url = URL(string: "https://example.com")!
