import Expectations
import Foundation
import Testing

@Suite("The page of the virtual room")
struct PageTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test("Each test that the page shows is one of these tests")
  func examples() throws {
    let page = try Self.text("../../Docs/virtual-room.md")
    let examples = try Self.text("PageExamples.swift")
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let shown = blocks.compactMap { block in block.range(of: "@Test func ").map { String(block[$0.lowerBound...]) } }
    equal(shown.count, 3)
    for example in shown { expect(examples.contains(example), "\(example)") }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }
}
