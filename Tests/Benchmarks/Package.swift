// swift-tools-version: 6.2

import PackageDescription

// A package of its own: the main package has no benchmark among its products, and this one sees its public API only.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "NetworkIndicator", path: "../..")],
    targets: [
        .executableTarget(
            name: "benchmark",
            dependencies: [.product(name: "NetworkIndicator", package: "NetworkIndicator")],
            path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)
