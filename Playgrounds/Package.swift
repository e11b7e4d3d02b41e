// swift-tools-version: 6.2

import PackageDescription

let pages = ["1 Operations", "2 Delays and flicker"]

let libraries = ["NetworkIndicator", "NetworkIndicatorTestKit"].map {
    Target.Dependency.product(name: $0, package: "NetworkIndicator")
}

let package = Package(
    name: "Playgrounds",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "NetworkIndicator", path: "..")],
    targets: [
        .target(name: "SharedSources", dependencies: libraries, path: "NetworkIndicator.playground/Sources")
    ]
        + pages.map { page in
            .executableTarget(
                name: page.split(separator: " ").joined(separator: "-"),
                dependencies: libraries + ["SharedSources"],
                path: "NetworkIndicator.playground/Pages/\(page).xcplaygroundpage",
                // Xcode imports the shared sources into each page.
                swiftSettings: [.unsafeFlags(["-Xfrontend", "-import-module", "-Xfrontend", "SharedSources"])])
        },
    swiftLanguageModes: [.v6]
)
