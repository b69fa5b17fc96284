import Expectations
import Foundation
import Testing

@Suite("The page of the virtual room")
struct PageTests {
  @Test("Each test that the page shows is one of these tests")
  func examples() throws {
    let page = try Repository.text("Docs/virtual-room.md")
    let examples = try Repository.text("Tests/VirtualRoomTests/PageExamples.swift")
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    let shown = blocks.compactMap { block in block.range(of: "@Test func ").map { String(block[$0.lowerBound...]) } }
    equal(shown.count, 3)
    for example in shown { expect(examples.contains(example), "\(example)") }
  }
}
