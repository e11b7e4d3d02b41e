/*:
 [Previous](@previous)

 # A view

 In SwiftUI, the modifier `networkActivityIndicator()` shows a spinner over a view. Xcode shows the view beside this page.
 Outside Xcode, the page prints when the indicator turns on and off.
 */
import NetworkIndicator

let manager = NetworkIndicatorManager.shared
manager.attach(Printer())

#if canImport(SwiftUI)
import NetworkIndicatorUI
import SwiftUI

show(Text("Articles").frame(width: 320, height: 200).networkActivityIndicator())
#endif

page {
    try await manager.withNetworkTask {
        try await Task.sleep(for: .seconds(2))  // network use
    }
    try await manager.waitUntilIdle()
}
