/// The user's settings. Apple's modules only provide reading, so tests change the settings here.
@MainActor
public enum Settings {
    public static var reducesMotion = false
}
