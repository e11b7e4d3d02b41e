import Testing

@MainActor
@Suite(.serialized) enum UITests {}
