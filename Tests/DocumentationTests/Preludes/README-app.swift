import Foundation
import FoundationNetworking
import SwiftUI

struct ContentView: View {
    var body: some View { Text("Articles") }
}
nonisolated final class SyncOperation: Operation, @unchecked Sendable {}
