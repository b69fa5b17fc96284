import Expectations
import Foundation
import Testing

@testable import Commands

/// What `babbench protocol new --swift` writes is what `Tests/Outside` has, which is built and tested as a package of
/// its own.
@Suite("The template of a Swift package")
struct SwiftTemplateTests {
  private func text(_ file: String) throws -> String {
    try Repository.text("Tests/Outside/" + file)
  }

  @Test("Under the name of Echo, each file is that of Tests/Outside without the marked lines")
  func files() throws {
    let files = try SwiftTemplate(named: "echo").files(source: OutsideFiles.source("/checkout"))
    let sources = try FileManager.default.contentsOfDirectory(atPath: Repository.path("Tests/Outside/Echo")).filter {
      $0.hasPrefix("Echo")
    }
    let door = ("Tests/echobenchTests/AppDoorTests.swift", "Doors/AppDoorTests.swift")
    let expected = sources.map { ("Sources/echobench/" + $0, "Echo/" + $0) } + [door]
    equal(files.map(\.path).sorted(), (expected.map(\.0) + ["Package.swift", "README.md"]).sorted())
    for (path, origin) in expected {
      let lines = try text(origin).components(separatedBy: "\n").filter { !$0.contains("not in the template") }
      equal(files.first { $0.path == path }?.text, lines.joined(separator: "\n"), "\(path)")
    }
  }

  @Test("No file names what the template leaves out, and the program's target is that of Tests/Outside")
  func wholeness() throws {
    let files = try SwiftTemplate(named: "echo").files(source: OutsideFiles.source("/checkout"))
    for file in files {
      for word in ["fragile", "lingering", "brittle"] {
        expect(!file.text.lowercased().contains(word), "\(file.path)")
      }
    }
    let own = try required(files.first { $0.path == "Package.swift" }?.text)
    let outside = try text("Package.swift")
    let target = #"name: "echobench", dependencies: babbench("AppProtocols", "Commands")"#
    for line in [target, "func babbench(_ products"] {
      expect(own.contains(line) && outside.contains(line), "\(line)")
    }
    expect(own.contains(#"dependencies: [.package(name: "babbench", path: "/checkout")]"#))
  }

  @Test("Under another name, nothing is called Echo, and a URL is one")
  func renaming() throws {
    for file in try SwiftTemplate(named: "ping2").files(
      source: OutsideFiles.source("https://example.org/babbench.git"))
    {
      expect(!file.path.lowercased().contains("echo") && !file.text.lowercased().contains("echo"), "\(file.path)")
      if file.path == "Package.swift" {
        expect(file.text.contains(#".package(url: "https://example.org/babbench.git", branch: "main")"#))
      }
    }
  }

  @Test("The package of rooms has the lamp and its test as Tests/Outside has them")
  func room() throws {
    let files = try RoomTemplate().files(source: OutsideFiles.source("/checkout"))
    equal(
      files.map(\.path),
      [
        "Package.swift", "README.md", "Sources/Lamp/Lamp.swift", "Tests/RoomTests/RoomTests.swift",
      ])
    expect(files[0].text.contains(#".package(name: "babbench", path: "/checkout", traits: ["Pages"])"#))
    equal(files[2].text, (try text("Doors/Lamp.swift")))
    let test = try text("Doors/RoomDoorTests.swift")
    expect(files[3].text.count > test.count - 100 && files[3].text.contains("struct RoomTests {"))
    expect(!files.contains { $0.text.contains("utsider") })
  }

  @Test(
    "What cannot name a type, a module and a protocol is refused",
    arguments: ["Ping", "my-ping", "class", "test", "", "9a"])
  func names(name: String) {
    #expect(throws: UsageProblem.self) { try SwiftTemplate(named: name) }
  }
}
