/// The line of a caller, for diagnostics.
struct CallSite: Sendable {
    let fileID: StaticString
    let line: UInt
}
