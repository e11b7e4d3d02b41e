// swift-tools-version: 6.2

import PackageDescription

/// Every page of the playground is also a program, which runs without Xcode.
let pages = [
    "Operations", "Opaque tokens", "Explicit finish", "Delays and flicker", "URLSession", "Your own indicator",
    "Finding what keeps it on",
]

let package = Package(
    name: "Playgrounds",
    platforms: [.macOS(.v14)],
    dependencies: [.package(name: "NetworkIndicator", path: "..")],
    targets: pages.map { page in
        .executableTarget(
            name: page.split(separator: " ").joined(separator: "-"),
            dependencies: [
                .product(name: "NetworkIndicator", package: "NetworkIndicator"),
                .product(name: "NetworkIndicatorTransfers", package: "NetworkIndicator"),
                .product(name: "NetworkIndicatorURLSession", package: "NetworkIndicator"),
                .product(name: "NetworkIndicatorTestKit", package: "NetworkIndicator"),
            ],
            path: "NetworkIndicator.playground/Pages/\(page).xcplaygroundpage")
    },
    swiftLanguageModes: [.v6]
)
