// swift-tools-version: 6.1
import PackageDescription

func program(_ name: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "LobbyRules", .product(name: "CoreBluetooth", package: "babbench"),
      .product(name: "VirtualProgram", package: "babbench"),
    ],
    swiftSettings: [.swiftLanguageMode(.v5)])
}

/// Two hosts and a client of one lobby, written for CoreBluetooth, as programs of the bench: one host as guides show it,
/// the others without the mistakes of guides. Linux only: elsewhere CoreBluetooth is the system's.
let package = Package(
  name: "corebluetooth",
  dependencies: [.package(name: "babbench", path: "../..")],
  targets: [
    .target(name: "LobbyRules", swiftSettings: [.swiftLanguageMode(.v5)]),
    program("guide-host"), program("sound-host"), program("sound-client"),
  ]
)
