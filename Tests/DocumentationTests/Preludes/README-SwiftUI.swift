import NetworkIndicator
import NetworkIndicatorUI
import SwiftUI

let manager = NetworkIndicatorManager.shared
struct ContentView: View {
    var body: some View { Text("Articles") }
}
struct RootView: View {
    var body: some View {
        // sample
    }
}
