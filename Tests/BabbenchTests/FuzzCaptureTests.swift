import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import Testing

@testable import Commands

/// The capture of an attack: the packets that carry its strokes, and where it showed, have comments.
@Suite("Captures of babbench fuzz run", .shippedEdition)
struct FuzzCaptureTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
  }

  private func fuzz(_ arguments: [String]) throws -> Executable.Result {
    try Executable.run(["fuzz", "run", folder.path + "/two.yaml", "--when", "client in lobby"] + arguments)
  }

  private func comments(_ path: String) throws -> [[String]] {
    var reader = CaptureReader()
    reader.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    var comments: [[String]] = []
    while let packet = try reader.next() { comments.append(packet.comments) }
    equal(reader.ending, .whole)
    return comments
  }

  @Test(
    "The packet that carries a stroke is marked, at every seam, and the capture changes nothing",
    arguments: ["packet", "fragment", "att", "l2cap", "hci", "ll", "air"])
  func strokes(seam: String) throws {
    let attack = """
      {"strokes": [{"manner": "again", "unit": 0, "times": 2}, {"manner": "drop", "unit": 1},
       {"manner": "late", "unit": 2, "after": 200000000}]}
      """
    try folder.write(attack, to: "attack.json")
    let arguments = ["--from", "host", "--seam", seam, "--input", folder.path + "/attack.json"]
    let plain = try fuzz(arguments)
    let captured = try fuzz(arguments + ["--out", folder.path + "/\(seam)"])
    equal(plain.output, captured.output)
    let digest = try required(plain.output.split(separator: "\n").last)
    let marks = try comments(folder.path + "/\(seam)/attack.pcapng")
    let hostile = marks.flatMap { $0 }.filter { $0.hasPrefix("hostile:") }
    equal(hostile.count { $0 == "hostile: stroke 1 of 3 sends unit 0 2 times" }, 2)
    expect(hostile.contains("hostile: stroke 2 of 3 swallows unit 1 (before this packet)"))
    expect(hostile.contains { $0.hasPrefix("hostile: stroke 3 of 3 holds unit 2 back for 0.200000000 s") })
    expect(!hostile.contains { $0.contains("not recognised") })
    equal(marks.last?.last, String(digest))
    expect(marks.contains { $0.contains("from here on host is hostile") })
  }

  @Test("Each finding has the capture of its smallest attack, which Wireshark filters by its comments")
  func finding() throws {
    let out = folder.path + "/out"
    let engine = ["--from", "client", "--set", "devices.host.engine=host-crashes-on-wrong-kinds"]
    try equal(fuzz(engine + ["--executions", "64", "--out", out]).status, 1)
    let path = out + "/Breakdown-BAB-7.13/finding.pcapng"
    let marks = try comments(path)
    let stroke = try required(marks.firstIndex { $0.contains { $0.hasPrefix("hostile: stroke 1 of 1 sends") } })
    let shown = try required(marks.firstIndex { $0.contains { $0.hasPrefix("finding Breakdown-BAB-7.13: host:") } })
    equal(stroke, shown)
    let again = try fuzz(engine + ["--input", out + "/Breakdown-BAB-7.13/input.json"])
    let digest = try required(again.output.split(separator: "\n").last)
    expect(digest.hasPrefix("digest "))
    let text = try String(contentsOfFile: out + "/Breakdown-BAB-7.13/finding.txt", encoding: .utf8)
    expect(text.split(separator: "\n").contains(digest))
    equal(marks.last?.last, String(digest))
    guard CaptureTool.tsharkPath != nil else { return }
    let rows = try CaptureTool.fields(
      path, ["frame.number", "frame.comment"], filter: "frame.comment contains \"finding\"")
    equal(rows.map(\.first), [String(shown + 1)])
  }

  @Test("What is not on the air by itself is marked on the next packet, and says so")
  func unseen() throws {
    // HCI_Reset (0x0C03) goes to the controller only.
    try folder.write(#"{"strokes": [{"manner": "send", "octets": "01030c00"}]}"#, to: "attack.json")
    let arguments = ["--from", "host", "--seam", "hci", "--input", folder.path + "/attack.json"]
    _ = try fuzz(arguments + ["--out", folder.path + "/out"])
    let marks = try comments(folder.path + "/out/attack.pcapng").flatMap { $0 }
    let mark = "hostile: stroke 1 of 1 sends after 0.000000000 s on route 0: 01030c00"
    expect(marks.contains(mark + " (not recognised on the air; this is the next packet)"))
  }
}
