import Testing

let manager = NetworkIndicatorManager()
