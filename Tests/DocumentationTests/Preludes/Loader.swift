import NetworkIndicator

final class Loader {
    func load(_ completion: () -> Void) { completion() }
}
let loader = Loader()
