// swift-tools-version: 6.1
import PackageDescription

/// What an outsider writes who uses each library product of babbench (Docs/API.md): an app protocol with an executable
/// of its own, and tests. The sources are those that the bench compiles itself without `package` access; this builds
/// them against a checkout, as another package does. `./check` builds and tests it at its end.
func babbench(_ products: String...) -> [Target.Dependency] {
  products.map { .product(name: $0, package: "babbench") }
}

let package = Package(
  name: "outside",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "babbench", path: "../..")],
  targets: [
    .executableTarget(
      name: "echobench", dependencies: babbench("AppProtocols", "Commands"), path: "Echo",
      // Its tests see into a release as well.
      swiftSettings: [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]),
    .testTarget(
      name: "OutsiderTests",
      dependencies: ["echobench"]
        + babbench(
          "AppProtocols", "Captures", "VirtualRadio", "HCIPorts", "CoreBluetooth", "Network", "MultipeerConnectivity",
          "VirtualRoom", "RoomTimelines", "BabSim", "BabConformance", "BeamConformance"),
      path: "Doors"),
  ]
)
