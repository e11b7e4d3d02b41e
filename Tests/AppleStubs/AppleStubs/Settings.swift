/// Values that Apple's modules only let programs read. Tests set them here.
@MainActor
public enum Settings {
    public static var reducesMotion = false
    public static var hasApplication = true
}
