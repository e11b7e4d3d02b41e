/// The user's settings, and the process. Apple's modules only provide reading, so tests change them here.
@MainActor
public enum Settings {
    public static var reducesMotion = false
    public static var hasApplication = true
}
