/// The user's settings. Apple's modules only read them, and so do the stubs: tests change them here.
@MainActor
public enum Settings {
    public static var reducesMotion = false
}
