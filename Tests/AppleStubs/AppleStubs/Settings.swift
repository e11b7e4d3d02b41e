@MainActor
public enum Settings {
    public static var reducesMotion = false
    public static var hasApplication = true
}
