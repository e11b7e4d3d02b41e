// swift-tools-version: 6.2

import PackageDescription

/// Each page of the playground is also a program. To run the first page, use
/// `swift run --package-path Playgrounds 1-Operations`.
///
/// The package manager defines `SWIFT_PACKAGE`. If this condition isn't defined, a page runs in a playground, and can
/// use PlaygroundSupport.
let pages = [
    "1 Operations", "2 Explicit finish", "3 Opaque tokens", "4 Delays and flicker", "5 Your own indicator",
    "6 URLSession", "7 Finding what keeps it on",
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
