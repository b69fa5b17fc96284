// swift-tools-version: 6.1
import PackageDescription

/// Modules of Apple's that an app's Bluetooth code imports and Linux lacks, under other names: a module that is really
/// called Combine would be found by each `#if canImport(Combine)`, in packages and in the runner of tests, too.
///
/// An app's own targets see them by `-module-alias`, as the tests here do.
let package = Package(
  name: "apple-shims",
  products: [
    .library(name: "CombineShim", targets: ["CombineShim"]),
    .library(name: "CryptoKitShim", targets: ["CryptoKitShim"]),
    .library(name: "osShim", targets: ["osShim", "OSLogShim"]),
    .library(name: "SecurityShim", targets: ["SecurityShim"]),
  ],
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
    .package(url: "https://github.com/apple/swift-crypto", "3.12.0"..<"5.0.0"),
  ],
  targets: [
    .target(
      name: "CombineShim",
      dependencies: ["OpenCombine", "OpenCombineDispatch", "OpenCombineFoundation"].map {
        .product(name: $0, package: "OpenCombine")
      }, swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "CryptoKitShim", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "osHeaders"),
    .target(
      name: "osShim", dependencies: ["osHeaders"],
      swiftSettings: [.swiftLanguageMode(.v5), .unsafeFlags(["-import-underlying-module"])]),
    .target(name: "OSLogShim", dependencies: ["osShim"], swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "SecurityShim", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "AppleShimsTests", dependencies: ["CombineShim", "CryptoKitShim", "osShim", "OSLogShim", "SecurityShim"],
      swiftSettings: [
        .swiftLanguageMode(.v5),
        .unsafeFlags(
          ["Combine", "CryptoKit", "os", "OSLog", "Security"].flatMap { ["-module-alias", "\($0)=\($0)Shim"] }),
      ]),
  ]
)
