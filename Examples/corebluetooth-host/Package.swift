// swift-tools-version: 6.1
import PackageDescription

/// Two hosts of one lobby, written for CoreBluetooth, as programs of the bench: one as guides show it, one without its
/// mistakes. Linux only: elsewhere CoreBluetooth is the system's.
let package = Package(
  name: "corebluetooth-host",
  dependencies: [.package(name: "babbench", path: "../..")],
  targets: [
    .target(name: "LobbyRules", swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "guide-host",
      dependencies: [
        "LobbyRules", .product(name: "CoreBluetooth", package: "babbench"),
        .product(name: "VirtualProgram", package: "babbench"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "sound-host",
      dependencies: [
        "LobbyRules", .product(name: "CoreBluetooth", package: "babbench"),
        .product(name: "VirtualProgram", package: "babbench"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
