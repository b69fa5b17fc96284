import BluetoothWire
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("What surrounds a finding")
struct CheckSceneTests {
  /// A btsnoop file of HCI H4: each packet as hexadecimal digits with its indicator, 1 ms after the last one.
  ///
  /// Layout: RFC 1761 as BlueZ and Android use it, link type 1002; flag bit 0 is set for packets to the host.
  private static func report(
    _ packets: [(isToHost: Bool, text: String)], scenes: Bool = true, isStrict: Bool = false
  ) throws -> CheckReport {
    func number(_ value: UInt64, _ octets: Int) -> [UInt8] {
      (0..<octets).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    var octets = Array("btsnoop".utf8) + [0] + number(1, 4) + number(1_002, 4)
    for (index, packet) in packets.enumerated() {
      let body = [UInt8].hex(packet.text)
      octets += number(UInt64(body.count), 4) + number(UInt64(body.count), 4) + number(packet.isToHost ? 1 : 0, 4)
      octets += number(0, 4) + number(0x00E0_3AB4_4A67_6000 + UInt64(index) * 1_000, 8) + body
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("phone.log")
    try Data(octets).write(to: file)
    var checker = Checker(paths: [file.path])
    checker.collectsScenes = scenes
    checker.isStrict = isStrict
    return try checker.report()
  }

  /// A host asks a scale for its Device Name with a boundary flag that LE does not have (10), and is answered.
  private static let talk: [(isToHost: Bool, text: String)] = [
    (true, "04 3E 13 01 00 4000 00 00 015544332211 1800 0000 F401 00"),
    (false, "02 4020 0B00 0700 0400 08 0100 FFFF 002A"),
    (true, "02 4020 0D00 0900 0400 09 07 0300 5363616C65"),
    (false, "02 4000 0700 0300 0400 0A 0300"),
    (true, "02 4020 0A00 0600 0400 0B 5363616C65"),
    (true, "04 3E 0B 07 4000 FB00 4808 FB00 4808"),
    (true, "04 05 04 00 4000 13"),
  ]

  @Test("A finding has its packet in octets and fields, three packets of its link before it and three after it")
  func scene() throws {
    let report = try Self.report(Self.talk)
    let findings = report.rules.flatMap(\.findings)
    equal(findings.map(\.oracle), ["BoundaryFlagsAreDefined"])
    let scene = try required(report.scenes.first)
    expect(report.scenes.count == 1 && scene.packet.place.number == 2)
    expect(scene.before.map(\.place.number) == [1] && scene.after.map(\.place.number) == [3, 4, 5])
    expect(scene.octets == [UInt8].hex("4020 0B00 0700 0400 08 0100 FFFF 002A") && scene.octetCount == 15)
    expect(scene.layers.contains { $0.contains("ATT_READ_BY_TYPE_REQ") } && scene.layers.count > 4)
    try expect(Self.report(Self.talk, scenes: false).scenes.isEmpty)
  }

  @Test("A link is called by the Device Name that its peer says, and has what HCI events say of it")
  func names() throws {
    let report = try Self.report(Self.talk)
    expect(report.links[0].peerName == "Scale" && report.links[0].peer == "11:22:33:44:55:01")
    expect(report.links[0].interval == 24 && report.links[0].dataLength == 251)
    let text = String(
      decoding: try CheckPage.octets(report, version: "0", repeatLine: "babbench check x"), as: UTF8.self)
    expect(text.contains("link 0 (“Scale”, 11:22:33:44:55:01)"))
    expect(text.contains("0000  40 20 0b 00 07 00 04 00 08 01 00 ff ff 00 2a"))
    expect(text.contains("30 / 0 / 5000"))
    expect(text.contains("<details open>") && !text.contains("{{"))
  }

  @Test("An advertised name is that of the links to the advertiser")
  func advertisedName() throws {
    let report = try Self.report([
      (true, "04 3E 13 02 01 00 00 015544332211 07 06 09 5363616C65 C0"),
      (true, "04 3E 13 01 00 4000 00 00 015544332211 1800 0000 F401 00"),
    ])
    equal(report.links.map(\.peerName), ["Scale"])
  }

  @Test("A rule that is inconclusive says why, how often and where first, in every report")
  func reasons() throws {
    let report = try Self.report([(true, "02 4020 0A00 0600 0400 0B 5363616C65")], isStrict: true)
    let result = try required(report.rules.first { $0.id == "ResponsesAnswerRequests" })
    expect(result.verdict == .inconclusive && result.firstOpen == PacketPlace(file: 0, number: 1).record)
    let reason = "open once, first at phone.log packet 1: " + ResponsesAnswerRequests.leavesOpen
    expect(CheckText.text(report).contains("inconclusive ResponsesAnswerRequests: \(reason)\n"))
    expect(String(decoding: CheckJUnitReport.octets(report, repeatLine: ""), as: UTF8.self).contains(reason))
    expect(String(decoding: CheckJSONReport.octets(report, repeatLine: ""), as: UTF8.self).contains(reason))
    let page = try CheckPage.octets(report, version: "0", repeatLine: "")
    expect(String(decoding: page, as: UTF8.self).contains("ResponsesAnswerRequests: \(reason)"))
  }
}
