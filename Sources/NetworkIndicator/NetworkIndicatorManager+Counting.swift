extension NetworkIndicatorManager {
    /// Counts one more activity, for code that has nothing to hold on to.
    ///
    /// Each increment needs a decrement; prefer tokens, which cannot go out of balance. Any thread; constant time.
    ///
    /// - Parameters:
    ///   - fileID: Where the call is, for diagnostics.
    ///   - line: Where the call is, for diagnostics.
    public func incrementActivityCount(fileID: StaticString = #fileID, line: UInt = #line) {
        tracker.increment(fileID: fileID, line: line)
    }

    /// Counts one activity less. At zero the count stays at zero, and monitors hear of it as misuse.
    ///
    /// Any thread; constant time.
    ///
    /// - Parameters:
    ///   - fileID: Where the call is, for diagnostics.
    ///   - line: Where the call is, for diagnostics.
    public func decrementActivityCount(fileID: StaticString = #fileID, line: UInt = #line) {
        tracker.decrement(fileID: fileID, line: line)
    }
}
