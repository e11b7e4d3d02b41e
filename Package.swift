// swift-tools-version: 6.2

import PackageDescription

// The privacy manifest is needed only on Apple's platforms. On Linux, it would add a resource bundle, and code that
// finds the bundle, to each program that uses NetworkIndicatorTransfers.
#if canImport(Darwin)
let privacyManifest = (resources: [Resource.copy("PrivacyInfo.xcprivacy")], excluded: [String]())
#else
let privacyManifest = (resources: [Resource](), excluded: ["PrivacyInfo.xcprivacy"])
#endif

let package = Package(
    name: "NetworkIndicator",
    platforms: [.iOS(.v17), .macOS(.v14), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "NetworkIndicator", targets: ["NetworkIndicator"]),
        .library(name: "NetworkIndicatorProgress", targets: ["NetworkIndicatorProgress"]),
        .library(name: "NetworkIndicatorTerminal", targets: ["NetworkIndicatorTerminal"]),
        .library(name: "NetworkIndicatorTestKit", targets: ["NetworkIndicatorTestKit"]),
        .library(name: "NetworkIndicatorTracing", targets: ["NetworkIndicatorTracing"]),
        .library(name: "NetworkIndicatorTransfers", targets: ["NetworkIndicatorTransfers"]),
        .library(name: "NetworkIndicatorUI", targets: ["NetworkIndicatorUI"]),
        .library(name: "NetworkIndicatorURLSession", targets: ["NetworkIndicatorURLSession"]),
    ],
    targets: [
        // Libraries.
        .target(name: "NetworkIndicator"),
        .target(name: "NetworkIndicatorProgress", dependencies: ["NetworkIndicator"]),
        .target(name: "NetworkIndicatorTerminal", dependencies: ["NetworkIndicator", "NetworkIndicatorProgress"]),
        .target(name: "NetworkIndicatorTestKit", dependencies: ["NetworkIndicator", "NetworkIndicatorURLSession"]),
        .target(name: "NetworkIndicatorTracing", dependencies: ["NetworkIndicator"]),
        .target(
            name: "NetworkIndicatorTransfers",
            dependencies: [
                .target(name: "CLibcurl", condition: .when(platforms: [.linux])), "NetworkIndicator",
                "NetworkIndicatorProgress", "NetworkIndicatorURLSession",
            ],
            exclude: privacyManifest.excluded, resources: privacyManifest.resources),
        .target(name: "NetworkIndicatorUI", dependencies: ["NetworkIndicator"]),
        .target(name: "NetworkIndicatorURLSession", dependencies: ["NetworkIndicator"]),
        .target(name: "CLibcurl"),

        // Example.
        .executableTarget(
            name: "fetch",
            dependencies: [
                "LoopbackServer", "NetworkIndicator", "NetworkIndicatorTerminal", "NetworkIndicatorTracing",
                "NetworkIndicatorTransfers",
            ], packageAccess: false),
        .target(name: "LoopbackServer", dependencies: ["NetworkIndicator"]),

        // Tests.
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "LoopbackServer", "NetworkIndicator", "NetworkIndicatorProgress", "NetworkIndicatorTerminal",
                "NetworkIndicatorTestKit", "NetworkIndicatorTracing", "NetworkIndicatorTransfers",
                "NetworkIndicatorURLSession", "TestSupport",
            ],
            exclude: ["Modules"]),
        .testTarget(
            name: "fetchTests",
            dependencies: [
                "LoopbackServer", "NetworkIndicator", "NetworkIndicatorTerminal", "NetworkIndicatorTransfers",
                "TestSupport", "fetch",
            ]),
        .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer", "NetworkIndicator", "TestSupport"]),
        .testTarget(
            name: "NetworkIndicatorProgressTests",
            dependencies: [
                "NetworkIndicator", "NetworkIndicatorProgress", "NetworkIndicatorTestKit", "NetworkIndicatorTransfers",
                "TestSupport",
            ]),
        .testTarget(
            name: "NetworkIndicatorTerminalTests",
            dependencies: [
                "NetworkIndicator", "NetworkIndicatorProgress", "NetworkIndicatorTerminal", "NetworkIndicatorTestKit",
                "TerminalHost", "TestSupport",
            ]),
        .testTarget(
            name: "NetworkIndicatorTests",
            dependencies: [
                "AsyncMainHost", "NetworkIndicator", "NetworkIndicatorTestKit", "StressHost", "SyncHost", "TestSupport",
            ]),
        .testTarget(
            name: "NetworkIndicatorTracingTests",
            dependencies: ["NetworkIndicator", "NetworkIndicatorTestKit", "NetworkIndicatorTracing", "TestSupport"]),
        .testTarget(
            name: "NetworkIndicatorTransfersTests",
            dependencies: [
                "LoopbackServer", "NetworkIndicator", "NetworkIndicatorTestKit", "NetworkIndicatorTransfers",
                "NetworkIndicatorURLSession", "TestSupport", "TransferHost",
            ]),
        .testTarget(
            name: "NetworkIndicatorUITests",
            dependencies: ["NetworkIndicator", "NetworkIndicatorTestKit", "NetworkIndicatorUI"]),
        .testTarget(
            name: "NetworkIndicatorURLSessionTests",
            dependencies: ["LoopbackServer", "NetworkIndicatorTestKit", "NetworkIndicatorURLSession", "TestSupport"]),
        .target(name: "TestSupport", dependencies: ["NetworkIndicator"], path: "Tests/Support"),

        // Test hosts.
        .executableTarget(name: "AsyncMainHost", dependencies: ["HostScenario"], path: "Tests/Hosts/AsyncMainHost"),
        .executableTarget(name: "SyncHost", dependencies: ["HostScenario"], path: "Tests/Hosts/SyncHost"),
        .target(name: "HostScenario", dependencies: ["NetworkIndicator", "TestSupport"], path: "Tests/Hosts/Scenario"),
        .executableTarget(name: "StressHost", dependencies: ["NetworkIndicator"], path: "Tests/Hosts/StressHost"),
        .executableTarget(
            name: "TerminalHost", dependencies: ["NetworkIndicator", "NetworkIndicatorTerminal"],
            path: "Tests/Hosts/TerminalHost"),
        .executableTarget(
            name: "TransferHost",
            dependencies: [
                "LoopbackServer", "NetworkIndicatorTransfers", "NetworkIndicatorURLSession", "TestSupport",
            ],
            path: "Tests/Hosts/TransferHost"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
        .enableUpcomingFeature("ExistentialAny"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
        .enableUpcomingFeature("InternalImportsByDefault"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
        .enableUpcomingFeature("MemberImportVisibility"),
        // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0470-isolated-conformances.md
        .enableUpcomingFeature("InferIsolatedConformances"),
    ]
}
