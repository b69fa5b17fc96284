// swift-tools-version: 6.1
import PackageDescription

/// An engine of one's own, tested with the bench's library: in process, and as a program.
let package = Package(
  name: "iut-swift",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "babbench", path: "../..")],
  targets: [
    .target(name: "LobbyClient", dependencies: [.product(name: "BabSim", package: "babbench")]),
    .executableTarget(
      name: "lobby-client",
      dependencies: [
        "LobbyClient", .product(name: "BabSim", package: "babbench"),
        .product(name: "BabConformance", package: "babbench"),
      ]),
    .executableTarget(
      name: "conform-in-process",
      dependencies: [
        "LobbyClient", .product(name: "BabSim", package: "babbench"),
        .product(name: "BabConformance", package: "babbench"),
      ]),
  ]
)
