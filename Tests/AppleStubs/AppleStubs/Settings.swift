/// In Apple's modules, these values are read-only, so tests set them here.
@MainActor
public enum Settings {
    public static var reducesMotion = false
    public static var hasApplication = true
}
