// swift-tools-version: 6.2

import PackageDescription

// The benchmarks are a separate package, so that they can use only the public API of the libraries.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "NetworkIndicator", path: "../..")],
    targets: [
        .executableTarget(
            name: "benchmark",
            dependencies: [
                .product(name: "NetworkIndicator", package: "NetworkIndicator"),
                .product(name: "NetworkIndicatorTestKit", package: "NetworkIndicator"),
            ],
            path: "Sources")
    ],
    swiftLanguageModes: [.v6]
)
