import NetworkIndicator

func show(_ isVisible: Bool) {}
