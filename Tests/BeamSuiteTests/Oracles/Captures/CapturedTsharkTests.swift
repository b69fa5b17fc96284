import BeamOracles
import CaptureCheck
import CaptureFormats
import CaptureTestSupport
import Conformance
import Expectations
import Foundation
import NetworkWire
import SimKernel
import Testing

/// A run's capture as tshark reads it: its octets of each stream are those that we judge.
@Suite("Captures of BeamScribe as tshark reads them", .enabled(if: CaptureTool.tsharkPath != nil))
struct CapturedTsharkTests {
  /// What `-z follow,tcp,raw` shows of one stream: octets of the client, and of the server, whose lines are indented.
  private func follow(_ path: String, _ stream: Int) throws -> (client: [UInt8], server: [UInt8]) {
    let text = try CaptureTool.run(CaptureTool.tsharkPath, ["-r", path, "-q", "-z", "follow,tcp,raw,\(stream)"])
    var (client, server): ([UInt8], [UInt8]) = ([], [])
    for line in text.split(separator: "\n") {
      let digits = Array(line.drop { $0 == "\t" }.utf8)
      guard digits.count % 2 == 0, let octets = Self.octets(digits) else { continue }
      if line.first == "\t" { server += octets } else { client += octets }
    }
    return (client, server)
  }

  private static func octets(_ digits: [UInt8]) -> [UInt8]? {
    var octets: [UInt8] = []
    for index in stride(from: 0, to: digits.count - 1, by: 2) {
      guard let value = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else { return nil }
      octets.append(value)
    }
    return octets
  }

  /// What our reader puts together.
  private final class Octets: TrafficObserver {
    let interests: TrafficEvent.Interests = .network
    private(set) var streams: [(client: [UInt8], server: [UInt8])] = []
    private(set) var gaps = 0
    private(set) var services: [String] = []

    func observe(network event: TrafficNetworkEvent) {
      switch event.kind {
      case .streamOpened: streams.append(([], []))
      case .octets(let stream, .client, _, let octets): streams[stream.index].client += octets
      case .octets(let stream, .server, _, let octets): streams[stream.index].server += octets
      case .gap: gaps += 1
      case .serviceAnnounced(let service): services.append(service.name.description)
      default: break
      }
    }
  }

  @Test("Both put the same octets together, and tshark misses and refuses nothing")
  func streams() throws {
    let folder = try CaptureFolder()
    let all = try CapturedWorld(JudgedWorld.talk).records
    var compared = 0
    // tshark takes what two interfaces saw of one segment for a repetition; it reads one interface at a time.
    let host = all.filter { record in
      guard case .network(let header) = record.body else { return false }
      return header.interfaceName == "host wifi"
    }
    var writer = CaptureWriter(format: .pcapng, application: "tests")
    var file: [UInt8] = []
    for record in host { try writer.append(record, to: &file) }
    let path = folder.path + "/host.pcapng"
    try Data(file).write(to: URL(fileURLWithPath: path))
    let own = Octets()
    let reader = TrafficReader(observers: [own])
    for record in host {
      reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - host[0].nanoseconds))
    }
    reader.finish()
    expect(own.gaps == 0 && own.streams.count >= 5)
    for index in own.streams.indices {
      let theirs = try follow(path, index)
      expect(theirs.client == own.streams[index].client && theirs.server == own.streams[index].server)
      compared += theirs.server.count
    }
    expect(compared > 1_000)
    let wrong = "_ws.malformed || tcp.analysis.lost_segment || tcp.checksum.status == 0 || ip.checksum.status == 0"
    try expect(CaptureTool.fields(path, ["frame.number"], filter: wrong).isEmpty)
    let names = try CaptureTool.fields(path, ["dns.ptr.domain_name"], filter: "mdns").flatMap { $0 }
    expect(names.contains { $0.contains("Keynote of the year._beamscribe._tcp.local") })
    expect(own.services.contains { $0.contains("Keynote of the year._beamscribe._tcp.local") })
  }
}
