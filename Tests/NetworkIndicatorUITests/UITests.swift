import Testing

/// One test after another: there is one application, one setting of Reduce Motion, and one journal of the stubs.
@MainActor
@Suite(.serialized) enum UITests {}
