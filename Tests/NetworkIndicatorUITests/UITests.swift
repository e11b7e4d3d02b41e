import Testing

/// The tests share the application, the Reduce Motion setting and the stubs' journal, so they are serialized.
@MainActor
@Suite(.serialized) enum UITests {}
