@MainActor func show(_ isVisible: Bool) {}
