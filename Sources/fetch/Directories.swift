import Foundation

/// The directories that a run creates for its files.
struct Directories {
    private var created: [String] = []

    init(for files: [URL]) throws {
        for directory in Set(files.map { $0.deletingLastPathComponent() }) {
            var missing = directory
            for _ in directory.pathComponents where access(missing.path, F_OK) != 0 {
                created.append(missing.path)
                missing.deleteLastPathComponent()
            }
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
    }

    /// `rmdir` fails unless the directory is empty.
    func removeIfEmpty() {
        for path in created.sorted(by: { $0.count > $1.count }) { rmdir(path) }
    }
}
