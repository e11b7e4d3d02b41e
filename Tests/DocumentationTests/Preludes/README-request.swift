import Foundation
import NetworkIndicatorTransfers

let url = URL(string: "https://example.com")!
var data = Data()
// sample
print(data.count)
