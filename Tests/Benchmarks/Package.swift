// swift-tools-version: 6.2

import PackageDescription

// A separate package, so that the main package doesn't have the benchmark as a product, and the benchmark uses only
// public API.
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
            path: "Sources"),
        .executableTarget(
            name: "terminal-row",
            dependencies: [
                .product(name: "NetworkIndicator", package: "NetworkIndicator"),
                .product(name: "NetworkIndicatorTerminal", package: "NetworkIndicator"),
            ],
            path: "TerminalRow"),
    ],
    swiftLanguageModes: [.v6]
)
