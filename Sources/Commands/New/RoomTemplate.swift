/// A Swift package that tests an app written for CoreBluetooth: the lamp and its remote control of `Tests/Outside`,
/// with their test, and what makes a package of them.
struct RoomTemplate {
  private let outside: OutsideFiles

  /// - Throws: that the files are not there.
  init() throws { outside = try OutsideFiles() }

  func write(to folder: String, bench: String?) throws { try outside.write(to: folder, bench: bench, files) }

  /// - Parameter source: what its manifest says of the bench.
  func files(source: String) throws -> [(path: String, text: String)] {
    let test = try outside.text("Doors/RoomDoorTests.swift")
    return [
      ("Package.swift", Self.manifest.replacing("SOURCE", with: source)), ("README.md", Self.page),
      ("Sources/Lamp/Lamp.swift", try outside.text("Doors/Lamp.swift")),
      (
        "Tests/RoomTests/RoomTests.swift",
        "@testable import Lamp\n"
          + test.replacing("RoomDoorTests", with: "RoomTests").replacing(", tested by an outsider", with: "")
      ),
    ]
  }

  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription

    // On Apple platforms the app's code finds the system's CoreBluetooth, and rooms are Linux's.
    func babbench(_ product: String) -> Target.Dependency {
      .product(name: product, package: "babbench", condition: .when(platforms: [.linux]))
    }

    let package = Package(
      name: "room-tests",
      platforms: [.macOS(.v15)],
      dependencies: [.package(SOURCE, traits: ["Pages"])],
      targets: [
        .target(name: "Lamp", dependencies: [babbench("CoreBluetooth")]),
        .testTarget(
          name: "RoomTests",
          dependencies: ["Lamp", babbench("CoreBluetooth"), babbench("VirtualRoom"), babbench("RoomTimelines")]),
      ],
      // As most apps are written: Swift 6 refuses, for one, `static let service = CBUUID(string: "180D")`.
      swiftLanguageModes: [.v5]
    )

    """

  private static let page = """
    # Tests in a room of phones

    `swift test` plays the lamp and its remote control of `Sources/Lamp` on two virtual phones, on Linux.

    1. Put your own manager in place of `Lamp.swift`; nothing in it needs to know of the room.
    2. Write what must hold into `Tests/RoomTests/RoomTests.swift`.
    3. What does not come true within `timeline.keeping(_:_:)` leaves a page (`out/lamp.html`): open it in a browser.

    Without `RoomTimelines` the package needs no trait (`traits: []`), and fetches one package in place of two.

    """
}
