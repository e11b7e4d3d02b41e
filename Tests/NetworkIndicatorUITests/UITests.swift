import Testing

/// The tests run one after another, because they share the application, the setting of Reduce Motion, and the stubs'
/// journal.
@MainActor
@Suite(.serialized) enum UITests {}
