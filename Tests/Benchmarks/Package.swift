// swift-tools-version: 6.2

import PackageDescription

// The benchmark is a separate package, so that it can use only the public API.
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
