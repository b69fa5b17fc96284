import AppSeam
import Bench
import BluetoothWire
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

@testable import Bystanders
@testable import CaptureCheck
@testable import Conformance

@Suite("Recorded devices")
struct RecordedPeerTests {
  private static func replay(_ capture: String, phone: String, expect: String = "sensor knows every request") -> String
  {
    """
    duration: 40s
    devices:
      sensor: { protocol: recorded, recording: \(capture) }
      phone: { protocol: recorded, role: central\(phone) }
    expect:
      - \(expect)
    """
  }

  @Test("What was recorded of a device of the room answers as that did, and is advertised as that was")
  func replays() throws {
    let folder = try CaptureFolder()
    let capture = try RecordedRoom.sample(in: folder)
    let recording = try RecordedRoom.recording(capture)
    equal(recording.advertising.data, SampleSensor.advertising)
    equal(recording.advertising.scanResponse, SampleSensor.scanResponse)
    equal(recording.name, "sensor")
    equal(recording.notes, [])
    equal(recording.services.map(\.uuid), [SampleSensor.service])
    equal(recording.services[0].characteristics.map(\.properties), [0x02, 0x0C, 0x10, 0x20])
    let text = Self.replay(capture, phone: ", recording: \(capture)")
    let played = try RecordedRoom.play(text, in: folder, captures: "second")
    equal(played.held, ["at the end: sensor knows every request"])
    equal(played.reports, [])
    let before = ServerWords.read(capture).byType
    let after = ServerWords.read(try RecordedRoom.path(of: "phone", folder.path + "/second")).byType
    expect(before.count == 5 && before.joined().count > 20)
    equal(after, before)
    let again = try RecordedRoom.play(text, in: folder, captures: "third")
    equal(again.outcome.digest, played.outcome.digest)
  }

  @Test("Values come after what they came after, and as long after it")
  func delays() throws {
    let folder = try CaptureFolder()
    let capture = try RecordedRoom.sample(in: folder)
    let recording = try RecordedRoom.recording(capture)
    let text = Self.replay(capture, phone: ", recording: \(capture)")
    _ = try RecordedRoom.play(text, in: folder, captures: "second")
    let again = try RecordedRoom.recording(try RecordedRoom.path(of: "phone", folder.path + "/second"))
    func delays(_ recording: Recording) -> [Int64] {
      let writes = recording.writes.sorted { $0.key.octets.lexicographicallyPrecedes($1.key.octets) }
      let streams = recording.streams.sorted { $0.key < $1.key }
      return writes.flatMap { $0.value.flatMap(\.said) }.map(\.delay)
        + streams.flatMap { $0.value.flatMap { $0 } }.map(\.delay)
    }
    let (first, second) = (delays(recording), delays(again))
    expect(first.count == second.count && first.count >= 20)
    // The radio's own time passes twice: once in the capture, and once in this room.
    for (a, b) in zip(first, second) { expect((0...200_000_000).contains(b - a), "\(a) \(b)") }
  }

  @Test("An app that asks what nobody asked is told so, and the write is taken")
  func unknown() throws {
    let folder = try CaptureFolder()
    let capture = try RecordedRoom.sample(in: folder)
    let played = try RecordedRoom.play(Self.replay(capture, phone: ""), in: folder, captures: "second") { name, told in
      told.role == .central
        ? SamplePhone(unknown: [0xBE, 0xEF]) : try RecordedRoom.players.engines(name, told)
    }
    expect(played.reports.contains(.unknownWrite(SampleSensor.command, [0xBE, 0xEF])))
    expect(played.failed.count == 1 && played.failed[0].contains("does not know the write of beef to FFE2"))
  }

  @Test("The phone has the device's name, address and ATT_MTU, unless the scenario says another address")
  func phone() throws {
    let folder = try CaptureFolder()
    let capture = try RecordedRoom.sample(in: folder)
    let recording = try RecordedRoom.recording(capture)
    func device(_ keys: String) throws -> Device {
      try ScenarioReader.read(
        text: "devices: { sensor: { protocol: recorded, recording: \(capture)\(keys) } }", file: "a.yaml",
        language: RecordedRoom.language, profiles: .besides("a.yaml")
      ).get().devices[0]
    }
    try expect(device("").address == recording.address && recording.address != nil)
    try equal(device("").gapName, "sensor")
    try equal(device("").phone.att.serverMTU, recording.serverMTU)
    let own = BluetoothAddress(kind: .random, bits: 0xC000_0000_0001)
    try equal(device(", address: C0:00:00:00:00:01").address, own)
    try equal(device(", count: 2").address, recording.address)
  }

  @Test("What is wrong is said in its place")
  func problems() throws {
    let folder = try CaptureFolder()
    let capture = try RecordedRoom.sample(in: folder)
    func problem(_ keys: String) -> String {
      RecordedRoom.problems("devices:\n  sensor: { \(keys) }\n", in: folder).joined(separator: "\n")
    }
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.path + "/odd"))
    equal(
      problem("protocol: recorded, recording: ./missing"),
      "a.yaml:2:44: “./missing” is no recording: there is no such file; a path starts in the folder of this file")
    expect(problem("protocol: recorded, recording: .").contains("it is a folder; write a file in it"))
    expect(problem("protocol: recorded, recording: odd").contains("a.yaml:2:44: “odd” is no recording: "))
    expect(problem("protocol: recorded").contains("write “recording: ./capture.btsnoop”, or “app:”"))
    expect(problem("protocol: recorded, link: 1").contains("write “recording:” beside it"))
    equal(
      problem("protocol: bystander, role: scanner, recording: a"),
      "a.yaml:2:49: only a device with “protocol: recorded” has “recording”; write that protocol, or leave the "
        + "key out")
    let recording = try RecordedRoom.recording(capture)
    let address = try required(recording.address)
    equal(problem("protocol: recorded, recording: \(capture), peer: \"\(address)\""), "")
    equal(problem("protocol: recorded, recording: \(capture), link: 1"), "")
    expect(problem("protocol: recorded, recording: \(capture), peer: over").contains("is no address; write six pairs"))
    expect(
      problem("protocol: recorded, recording: \(capture), peer: \"C0:00:00:00:00:09\"")
        .contains("shows no such GATT server; write one of these: “peer: \(address)” ("))
  }

  @Test("A damaged capture is a shorter recording, or one line")
  func damage() throws {
    let folder = try CaptureFolder()
    let capture = try RecordedRoom.sample(in: folder)
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: capture)))
    let whole = try RecordedRoom.recording(capture)
    var shorter = 0
    var random = RandomStream(seed: 9, component: "recorded", purpose: "damage")
    for round in 0..<60 {
      var damaged = octets
      if round % 2 == 0 {
        damaged.removeLast(Int(random.below(UInt64(octets.count))))
      } else {
        for _ in 0..<8 { damaged[Int(random.below(UInt64(octets.count)))] = UInt8(random.below(256)) }
      }
      let path = folder.path + "/damaged"
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      do throws(RecordingReader.Refusal) {
        if try RecordedRoom.recording(path) != whole { shorter += 1 }
      } catch {
        expect(!error.text.isEmpty && !error.text.contains("\n") && !error.text.contains("Optional("))
        shorter += 1
      }
    }
    expect(shorter > 30)
  }
}
