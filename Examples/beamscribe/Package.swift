// swift-tools-version: 6.1
import PackageDescription

func program(_ name: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: ["BeamApp", .product(name: "VirtualProgram", package: "babbench")],
    swiftSettings: [.swiftLanguageMode(.v5)])
}

/// Both ends of BeamScribe, written for Network.framework and CoreBluetooth, as programs of the bench. Linux only:
/// elsewhere both modules are the system's.
let package = Package(
  name: "beamscribe",
  dependencies: [.package(name: "babbench", path: "../..")],
  targets: [
    .target(
      name: "BeamApp",
      dependencies: [
        .product(name: "Network", package: "babbench"), .product(name: "CoreBluetooth", package: "babbench"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    program("beam-host"), program("beam-guest"),
  ]
)
