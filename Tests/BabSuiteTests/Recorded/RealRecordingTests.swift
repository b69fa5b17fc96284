import AppSeam
import Bench
import BluetoothWire
import CaptureTestSupport
import Foundation
import Testing

@testable import Bystanders
@testable import CaptureCheck
@testable import Conformance

/// Real devices in captures that others made: what their phones asked is asked again in a room.
@Suite("Recorded devices of others", .enabled(if: !SharedTraffic.files.isEmpty))
struct RealRecordingTests {
  /// Captures with one device whose discovery they show.
  private static let numbers = ["03", "04", "10", "25", "26", "27", "28", "29", "30", "31", "32", "33", "36"]

  @Test("Every answer and every value is that of the capture, octet for octet", arguments: numbers)
  func replays(number: String) throws {
    let capture = try #require(SharedTraffic.path(number))
    let folder = try CaptureFolder()
    let text = """
      duration: 3h
      limits: { simulated time: 4h }
      devices:
        sensor: { protocol: recorded, recording: \(capture) }
        phone: { protocol: recorded, role: central, recording: \(capture) }
      expect:
        - sensor knows every request
      """
    let played = try RecordedRoom.play(text, in: folder, captures: "room")
    #expect(played.failed == [])
    let recording = try RecordedRoom.recording(capture)
    let before = ServerWords.read(capture).byType
    let after = ServerWords.read(try RecordedRoom.path(of: "phone", folder.path + "/room")).byType
    print("recorded \(number): \(before.joined().count) answers and values of \(before.count) types")
    for note in recording.notes { print("  \(note)") }
    #expect(before.joined().count > 3)
    #expect(after == before)
  }
}
