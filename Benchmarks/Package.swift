// swift-tools-version: 6.1
import PackageDescription

/// Measurements of the bench, apart from the product so that nobody builds them by accident.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "babbench", path: "..")],
  targets: [
    .executableTarget(
      name: "Measure",
      dependencies: [
        .product(name: "BabSim", package: "babbench"), .product(name: "HCIPorts", package: "babbench"),
        .product(name: "BabConformance", package: "babbench"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
