import Bench
import CaptureCheck
import CaptureTestSupport
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing

@testable import ProtocolFiles

/// Protocol files in captures: of our own rooms, whole, damaged and with a planted defect, and of a real device.
@Suite("Captures judged by protocol files")
struct FileCaptureTests {
  private static let examples = Repository.path("Examples/protocols")

  private static func app(_ name: String) throws -> AppProtocol {
    try ProtocolFile(examples + "/\(name).yaml", spellings: ["./\(name).yaml"]).app
  }

  private static func judged(_ name: String, _ paths: [String]) throws -> [OracleResult] {
    let report = try Checker(paths: paths, protocolType: app(name).traffic).report()
    return report.judgement?.oracles ?? []
  }

  /// The room of an example, with the captures of its devices.
  private static func captured(_ name: String) throws -> CaptureFolder {
    let folder = try CaptureFolder()
    let app = try app(name)
    let scenario = try ScenarioFile.load(examples + "/\(name)-room.yaml", language: ScenarioLanguage([app])).get()
    let hci = try HCICaptureReader(folder: folder.path)
    _ = try World.run(scenario, options: RunOptions(seed: 1), readers: [hci], engines: [app].engines)
    try hci.close()
    return folder
  }

  @Test("Packets that a framing carries are judged in the captures of each device", arguments: ExampleTests.names)
  func own(name: String) throws {
    let folder = try Self.captured(name)
    for file in folder.names {
      let results = try Self.judged(name, [folder.path + "/" + file])
      equal(results.first { $0.id == OnlyPackets.id }?.verdict, .pass, "\(file)")
      expect(results.allSatisfy { $0.findings.isEmpty }, "\(file)")
    }
  }

  @Test("A charge of more than all is found where the capture has the whole link, and not where it begins inside")
  func planted() throws {
    let folder = try Self.captured("jbd-bms")
    let file = folder.path + "/battery.btsnoop"
    var octets = try folder.octets("battery.btsnoop")
    // The answer of the reference has a charge of 0, its 24th octet; 20 are in the first fragment at the HCI, and the
    // second one begins after a record's header, the indicator of H4 and the header of ACL data.
    let answer: [UInt8] = [0xDD, 3, 0, 23]
    let place = try required(octets.indices.first { octets[$0...].starts(with: answer) })
    let rest = place + 20 + 24 + 1 + 4
    octets[rest + 3] = 101
    // The checksum, of which the last octets of the packet are, follows.
    let end = try required(octets[rest...].firstIndex(of: 0x77))
    let sum = Int(octets[end - 2]) << 8 | Int(octets[end - 1])
    (octets[end - 2], octets[end - 1]) = (UInt8((sum - 101) >> 8), UInt8((sum - 101) & 0xFF))
    try Data(octets).write(to: URL(fileURLWithPath: file))
    let found = try Self.judged("jbd-bms", [file])
    equal(found.first { $0.id == "ChargeIsAShare" }?.verdict, .fail, "\(found.map(\.findings))")

    // Without its first records, nobody knows whether a packet begins there.
    let late = Array(octets[..<16]) + Self.records(octets, after: place - 400)
    try Data(late).write(to: URL(fileURLWithPath: file))
    try expect(Self.judged("jbd-bms", [file]).allSatisfy { $0.findings.isEmpty })
  }

  /// The records of a btsnoop file that begin after a place.
  private static func records(_ octets: [UInt8], after place: Int) -> ArraySlice<UInt8> {
    var start = 16
    while start + 24 <= octets.count, start < place {
      start += 24 + octets[start + 4..<start + 8].reduce(0) { $0 << 8 | Int($1) }
    }
    return octets[min(start, octets.count)...]
  }

  @Test(
    "A real battery's packets are known by their names, and nothing is wrong with them, whatever is cut off",
    .enabled(if: !SharedTraffic.files.isEmpty, "no captures at \(SharedTraffic.folder)"))
  func real() throws {
    let name = try required(SharedTraffic.files.first { $0.contains("JBD-SP04S034L4S200A") })
    let path = SharedTraffic.folder + "/" + name
    let results = try Self.judged("jbd-bms", [path])
    equal(results.map(\.id), [OnlyPackets.id, "BasicIsAnswered", "ChargeIsAShare"])
    equal(results.filter { $0.id != "BasicIsAnswered" }.map(\.judged), [50, 13])
    let words = results.map {
      "\($0.id) \($0.verdict.name) \($0.judged) \($0.open) \($0.findings.first?.expected ?? "")"
    }
    expect(results.allSatisfy { $0.verdict == .pass || $0.id == "BasicIsAnswered" && $0.findings.isEmpty }, "\(words)")
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let folder = try CaptureFolder()
    for part in 1..<12 {
      let file = folder.path + "/late.log"
      let late = Array(octets[..<16]) + Self.records(octets, after: octets.count * part / 12)
      try Data(late).write(to: URL(fileURLWithPath: file))
      try expect(Self.judged("jbd-bms", [file]).allSatisfy { $0.findings.isEmpty }, "\(part)")
    }
  }
}
