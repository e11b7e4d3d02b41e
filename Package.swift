// swift-tools-version: 6.2

import PackageDescription

// Upcoming features, each with its proposal. No `unsafeFlags`: they would stop other packages from depending on this
// one. Warnings become errors in CI instead.
let swiftSettings: [SwiftSetting] = [
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    .enableUpcomingFeature("ExistentialAny"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    .enableUpcomingFeature("InternalImportsByDefault"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    .enableUpcomingFeature("MemberImportVisibility"),
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0470-isolated-conformances.md
    .enableUpcomingFeature("InferIsolatedConformances"),
]

let package = Package(
    name: "NetworkIndicator",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "NetworkIndicator", targets: ["NetworkIndicator"]),
        .library(name: "NetworkIndicatorTerminal", targets: ["NetworkIndicatorTerminal"]),
        .library(name: "NetworkIndicatorURLSession", targets: ["NetworkIndicatorURLSession"]),
        .library(name: "NetworkIndicatorUI", targets: ["NetworkIndicatorUI"]),
        .library(name: "NetworkIndicatorTestKit", targets: ["NetworkIndicatorTestKit"]),
    ],
    dependencies: [],
    targets: [
        .target(name: "NetworkIndicator", swiftSettings: swiftSettings),
        .target(
            name: "NetworkIndicatorTerminal", dependencies: ["NetworkIndicator"], swiftSettings: swiftSettings),
        .target(
            name: "NetworkIndicatorURLSession", dependencies: ["NetworkIndicator"], swiftSettings: swiftSettings),
        .target(name: "NetworkIndicatorUI", dependencies: ["NetworkIndicator"], swiftSettings: swiftSettings),
        .target(name: "NetworkIndicatorTestKit", dependencies: ["NetworkIndicator"], swiftSettings: swiftSettings),
        // HTTP on 127.0.0.1 with scripted faults, for `fetch` and the tests. Not a product.
        .target(name: "LoopbackServer", dependencies: ["NetworkIndicator"], swiftSettings: swiftSettings),
        .executableTarget(
            name: "fetch",
            dependencies: [
                "NetworkIndicator", "NetworkIndicatorTerminal", "NetworkIndicatorURLSession", "LoopbackServer",
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "indicator-benchmark", dependencies: ["NetworkIndicator"], swiftSettings: swiftSettings),
        // Programs that tests run: one for each kind of host that the main thread can have.
        .target(
            name: "HostStory", dependencies: ["NetworkIndicator"], path: "Tests/Hosts/Story",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "SyncHost", dependencies: ["HostStory"], path: "Tests/Hosts/SyncHost", swiftSettings: swiftSettings),
        .executableTarget(
            name: "AsyncMainHost", dependencies: ["HostStory"], path: "Tests/Hosts/AsyncMainHost",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "TopLevelAwaitHost", dependencies: ["HostStory"], path: "Tests/Hosts/TopLevelAwaitHost",
            swiftSettings: swiftSettings),

        .executableTarget(
            name: "StressHost", dependencies: ["NetworkIndicator"], path: "Tests/Hosts/StressHost",
            swiftSettings: swiftSettings),

        .executableTarget(
            name: "TruthMeterHost", dependencies: ["NetworkIndicator"], path: "Tests/Hosts/TruthMeterHost",
            swiftSettings: swiftSettings),

        .target(name: "TestSupport", path: "Tests/Support", swiftSettings: swiftSettings),
        // A shell and its job in a pseudo-terminal.
        .executableTarget(
            name: "TerminalHost",
            dependencies: ["NetworkIndicator", "NetworkIndicatorTerminal", "NetworkIndicatorTestKit"],
            path: "Tests/Hosts/TerminalHost", swiftSettings: swiftSettings),
        .testTarget(
            name: "NetworkIndicatorTerminalTests",
            dependencies: [
                "NetworkIndicator", "NetworkIndicatorTerminal", "NetworkIndicatorTestKit", "TestSupport",
                "TerminalHost",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "NetworkIndicatorTests",
            dependencies: [
                "NetworkIndicator", "NetworkIndicatorTestKit", "TestSupport", "SyncHost", "AsyncMainHost",
                "TopLevelAwaitHost", "StressHost", "TruthMeterHost",
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "NetworkIndicatorURLSessionTests",
            dependencies: [
                "NetworkIndicatorURLSession", "NetworkIndicatorTestKit", "LoopbackServer", "TestSupport",
                "URLSessionHost",
            ],
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "URLSessionHost", dependencies: ["NetworkIndicatorURLSession", "LoopbackServer"],
            path: "Tests/Hosts/URLSessionHost", swiftSettings: swiftSettings),
        .testTarget(
            name: "LoopbackServerTests", dependencies: ["LoopbackServer", "TestSupport"], swiftSettings: swiftSettings),
        .testTarget(
            name: "fetchTests", dependencies: ["fetch", "LoopbackServer", "NetworkIndicator", "TestSupport"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "DocumentationTests", dependencies: ["NetworkIndicator", "NetworkIndicatorTestKit"],
            exclude: ["Preludes"], swiftSettings: swiftSettings),
        .testTarget(
            name: "NetworkIndicatorUITests",
            dependencies: ["NetworkIndicator", "NetworkIndicatorUI", "NetworkIndicatorTestKit"],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
