import NetworkIndicator

let manager = NetworkIndicatorManager.shared
