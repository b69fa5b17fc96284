import AppSeam
import Bench
import BluetoothWire
import CaptureTestSupport
import Expectations
import Foundation
import Testing

@testable import Bystanders
@testable import CaptureCheck
@testable import Conformance

/// Real devices in captures that others made: what their phones asked is asked again in a room.
@Suite("Recorded devices of others", .enabled(if: !SharedTraffic.files.isEmpty))
struct RealRecordingTests {
  /// A capture, and the link where it shows several devices without addresses.
  struct Sample: Sendable, CustomStringConvertible {
    var number: String
    var link: Int?
    var description: String { number + (link.map { " link \($0)" } ?? "") }
  }

  private static let samples =
    ["03", "04", "10", "15", "19", "25", "27", "28", "29", "31", "32", "33", "34", "36"].map { Sample(number: $0) }
    + [Sample(number: "09", link: 2), Sample(number: "09", link: 3), Sample(number: "26", link: 2)]
    + [Sample(number: "30", link: 0), Sample(number: "30", link: 1)]

  @Test("Every answer and every value is that of the capture, octet for octet", arguments: samples)
  func replays(sample: Sample) throws {
    let capture = try required(SharedTraffic.path(sample.number))
    let folder = try CaptureFolder()
    let key = sample.link.map { ", link: \($0)" } ?? ""
    let text = """
      duration: 10min
      devices:
        sensor: { protocol: recorded, recording: \(capture)\(key) }
        phone: { protocol: recorded, role: central, recording: \(capture)\(key) }
      expect:
        - sensor knows every request
      """
    let played = try RecordedRoom.play(text, in: folder, captures: "room")
    equal(played.failed, [])
    let recording = try RecordedRoom.recording(capture, .init(link: sample.link))
    let before = ServerWords.read(capture, link: sample.link).byType
    let after = ServerWords.read(try RecordedRoom.path(of: "phone", folder.path + "/room")).byType
    print("recorded \(sample): \(before.joined().count) answers and values of \(before.count) kinds")
    for note in recording.notes { print("  \(note)") }
    expect(before.joined().count > 3)
    equal(after, before)
  }
}
