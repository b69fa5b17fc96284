import Foundation

/// A Swift package with a protocol of one's own: the files of Echo in `Tests/Outside` under another name, with what
/// makes a package of them. What the bench builds and tests itself is what is written.
struct SwiftTemplate {
  /// No names: words of Swift, and those that types of the bench begin with.
  private static let taken = [
    "any", "app", "as", "async", "await", "break", "bystander", "case", "catch", "class", "continue", "default",
    "defer", "do", "else", "enum", "extension", "false", "for", "func", "guard", "if", "import", "in", "init", "inout",
    "internal", "is", "let", "nil", "open", "operator", "package", "private", "protocol", "public", "repeat", "return",
    "self", "some", "static", "struct", "subscript", "super", "switch", "test", "throw", "throws", "true", "try",
    "type", "typealias", "var", "where", "while",
  ]

  let name: String
  private let outside: OutsideFiles

  /// - Throws: what is no name, or that the files of Echo are not there.
  init(named name: String) throws {
    let octets = Array(name.utf8)
    let isWord = octets.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    guard isWord, octets.count <= 24, let first = octets.first, first >= 0x61, !Self.taken.contains(name) else {
      throw UsageProblem(
        "“\(name)” is no name of a Swift package; write at most 24 lower case letters and digits, and no word of Swift")
    }
    self.name = name
    outside = try OutsideFiles()
  }

  /// - Parameter source: what its manifest says of the bench.
  func files(source: String) throws -> [(path: String, text: String)] {
    let sources = try outside.names(in: "Echo").filter { $0.hasPrefix("Echo") && $0.hasSuffix(".swift") }
    var files = [
      ("Package.swift", renamed(Self.manifest).replacing("SOURCE", with: source)), ("README.md", renamed(Self.page)),
    ]
    for file in sources {
      files.append(("Sources/\(name)bench/" + renamed(file), renamed(try outside.text("Echo/" + file))))
    }
    files.append(("Tests/\(name)benchTests/AppDoorTests.swift", renamed(try outside.text("Doors/AppDoorTests.swift"))))
    return files
  }

  func write(to folder: String, bench: String?) throws { try outside.write(to: folder, bench: bench, files) }

  private func renamed(_ text: String) -> String {
    text.replacing("Echo", with: name.prefix(1).uppercased() + name.dropFirst())
      .replacing("ECHO", with: name.uppercased()).replacing("echo", with: name)
  }

  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription

    func babbench(_ products: String...) -> [Target.Dependency] {
      products.map { .product(name: $0, package: "babbench") }
    }

    let package = Package(
      name: "echobench",
      dependencies: [.package(SOURCE)],
      targets: [
        .executableTarget(
          name: "echobench", dependencies: babbench("AppProtocols", "Commands"),
          // Its tests see into a release as well.
          swiftSettings: [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]),
        .testTarget(
          name: "echobenchTests", dependencies: ["echobench"] + babbench("AppProtocols")),
      ]
    )

    """

  private static let page = """
    # echobench

    The bench for Echo, a protocol in Swift: `swift build -c release`, then `.build/release/echobench --help`.

    1. `EchoWords.swift`: packets, the service, what people do and screens show. `EchoEngines.swift`: the reference.
    2. `EchoApp.swift`: what scenarios can say. `EchoTraffic.swift`: captures.
    3. `EchoOracle.swift`: what holds in every run. `EchoSuite.swift`: clauses, test purposes, broken engines.
    4. `EchoBench.swift`: the protocols of this program.

    `swift test -c release` plays a room and a test purpose; `echobench selftest` proves that each purpose can fail, and
    `echobench conform --iut reference --role host` tests the reference.

    """
}
