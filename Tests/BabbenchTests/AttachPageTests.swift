import Expectations
import Foundation
import Testing

@testable import Commands

/// The page for those who attach an engine shows a program, its description and a run: the run is made of the two.
@Suite("Docs/attach.md", .shippedEdition)
struct AttachPageTests {
  private static let page = "Docs/attach.md"

  /// The text of the first code block of a kind that contains something.
  private func block(_ kind: String, with content: String) throws -> String {
    let text = try Repository.text(Self.page)
    let blocks = text.split(separator: "\n```\(kind)\n").dropFirst().compactMap { $0.split(separator: "\n```\n").first }
    return try required(blocks.first { $0.contains(content) }).description + "\n"
  }

  @Test("The program of the page, described as on the page, has the first cause that the page shows")
  func run() throws {
    let folder = try TemporaryFolder()
    try folder.write(try block("sh", with: "#!/bin/sh"), to: "my-host")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/my-host")
    try folder.write(try block("yaml", with: "command: [./my-host]"), to: "my-host.yaml")
    let talk = try ConformTalk.run(["--iut", folder.path + "/my-host.yaml", "--select", "BAB/HOST/LOBBY/**"])
    equal(talk.status, 1)
    let shown = try block("", with: "$ babbench conform").split(separator: "\n").dropFirst().map(String.init)
    equal(shown.count, 7)
    equal(Array(talk.lines.prefix(shown.count)), shown)
  }

  @Test("Every sample of the repository is on the page, and its own page is there")
  func samples() throws {
    let text = try Repository.text(Self.page)
    let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.path("Examples"))
      .filter { $0.hasPrefix("iut-") }
    equal(folders.count, 5)
    for folder in folders { expect(text.contains("(../Examples/\(folder)/README.md)"), "\(folder)") }
    expect(text.contains("`exec`"))
  }
}
