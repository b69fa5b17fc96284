import ArgumentParser
import BabSuite
import Bench
import Campaigns
import Conformance
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

@testable import Commands

@Suite("babbench shrink of a recorded session", .shippedEdition)
struct ShrinkSessionTests {
  private static let scenario = """
    name: two guests and a host
    devices:
      host: { address: "C0:00:00:00:00:01" }
      guest: { at: [1, 0] }
      client: {}
    radio: living-room
    steps:
      - host: start hosting
      - client: join
    expect:
      - always: host has at most 1 links
    """

  /// A guest that asks for this and that, and then connects to the host.
  private func recording(connects: Bool = true) throws -> [UInt8] {
    let header = SessionRecording.Header(
      bench: BenchVersion.current, file: "lobby.yaml", scenario: Self.scenario, settings: [], seed: 3,
      seats: [.init(device: "guest", seat: .foreignHost)])
    var octets: [UInt8] = []
    let session = try LiveSession(
      header, scenario: SessionRecording(header: header).scenario(.shipped).get(),
      engines: [AppProtocol.bab].engines, record: { octets += $0 })
    session.enter(.attached, device: 1)
    var packets: [[UInt8]] = [[1, 0x03, 0x0C, 0]]
    for _ in 0..<20 { packets += [[1, 0x09, 0x10, 0], [1, 0x01, 0x10, 0]] }
    for _ in 0..<20 { packets.append([1, 0x07, 0x20, 0]) }
    // LE Create Connection with the host.
    if connects {
      packets.append(
        [1, 0x0D, 0x20, 25, 16, 0, 16, 0, 0, 1] + [1, 0, 0, 0, 0, 0xC0] + [0, 24, 0, 24, 0, 0, 0, 200, 0, 0, 0, 0, 0])
    }
    for (index, packet) in packets.enumerated() {
      session.advance(to: .zero + .milliseconds(7 * Int64(index + 1)))
      session.enter(.packet(packet), device: 1)
    }
    session.advance(to: .zero + .seconds(9))
    _ = session.finish()
    return octets
  }

  private func shrink(_ octets: [UInt8], _ arguments: [String] = []) throws -> (
    code: Int32, told: String, file: TemporaryFolder
  ) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/session.jsonl"
    try Data(octets).write(to: URL(fileURLWithPath: path))
    var told: [String] = []
    let streams = OutputStreams(tell: { told.append($0) }, complain: { told.append($0) })
    let code = try ShrinkCommand.parse([path, "--output", folder.path + "/small.jsonl"] + arguments)
      .execute(on: .real, for: streams)
    return (code, told.joined(separator: "\n"), folder)
  }

  @Test("One of sixty entries is left, the reason is the same, and the file replays to its digest")
  func small() throws {
    let result = try shrink(try recording())
    equal(result.code, 0, "\(result.told)")
    expect(result.told.contains("it passes without external input"))
    expect(result.told.contains("size: 63 → 1 entry"))
    expect(result.told.contains("reason: expect: always: host has at most 1 links"))
    let small = try SessionFile.load(result.file.path + "/small.jsonl").get()
    equal(small.entries.count, 1)
    try equal(small.scenario(.shipped).get().devices.count, 3)
    var told = ""
    let replay = try ReplayCommand.parse([result.file.path + "/small.jsonl"])
    equal(replay.execute(for: OutputStreams(tell: { told += $0 }, complain: { told += $0 })), 1)
    expect(told.contains("the recorded run: digest "), "\(told)")
  }

  @Test("What does not fail, is no session, or has options that are for scenarios is one line with its exit code")
  func refusals() throws {
    let passing = try shrink(try recording(connects: false), ["--reason", "1"])
    expect(passing.code == 2 && passing.told.contains("does not fail; there is nothing to shrink"))
    try equal(shrink(Array("{}\n".utf8)).code, 64)
    try equal(shrink(try recording(), ["--reason", "9"]).code, 64)
    #expect(throws: (any Error).self) { try ShrinkCommand.parse(["s.jsonl", "--seed", "1"]) }
  }
}
