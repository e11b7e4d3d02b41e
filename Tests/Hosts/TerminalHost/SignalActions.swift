#if canImport(Glibc)
import Foundation

enum SignalActions {
    /// The action of each signal: 0 is the default, 1 is ignored, and H is a handler.
    static var description: String {
        (Int32(1)...31).map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            let address = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            return address == 0 || address == 1 ? "\(address)" : "H"
        }.joined()
    }
}
#endif
