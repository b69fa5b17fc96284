import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import NetworkWire
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Streams as tshark follows them", .enabled(if: CaptureTool.tsharkPath != nil))
struct StreamTsharkTests {
  /// What `-z follow,tcp,raw` shows of one stream: octets of the client, and of the server, whose lines are indented.
  private func follow(_ path: String, _ stream: Int) throws -> (client: [UInt8], server: [UInt8]) {
    let text = try CaptureTool.run(CaptureTool.tsharkPath, ["-r", path, "-q", "-z", "follow,tcp,raw,\(stream)"])
    var (client, server): ([UInt8], [UInt8]) = ([], [])
    for line in text.split(separator: "\n") {
      let digits = line.drop { $0 == "\t" }
      guard digits.count % 2 == 0, digits.allSatisfy(\.isHexDigit) else { continue }
      if line.first == "\t" { server += [UInt8].hex(digits) } else { client += [UInt8].hex(digits) }
    }
    return (client, server)
  }

  private func write(_ octets: [UInt8], _ folder: CaptureFolder, _ name: String) throws -> String {
    let path = folder.path + "/" + name
    try Data(octets).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("Streams that others captured hold the same octets")
  func foreign() throws {
    let folder = try CaptureFolder()
    for (index, file) in [ForeignNetwork.loopback, ForeignNetwork.cooked2].enumerated() {
      let path = try write(file, folder, "\(index).pcapng")
      let read = try NetworkRecorder.read(file: file)
      let followed = try follow(path, 0)
      expect(followed.client == read.octets(0, .client) && followed.server == read.octets(0, .server))
      equal(followed.server.count, 11)
    }
  }

  /// Repetitions, reordering, both directions, two connections; nothing is lost to the capture.
  @Test("Streams that we made hold the same octets, and tshark finds nothing malformed")
  func generated() throws {
    let folder = try CaptureFolder()
    var stream = RandomStream(seed: 11, component: "capture", purpose: "tshark")
    var script = NetworkScript()
    for port in [UInt16(50_001), 50_002] {
      script.client.port = port
      script.initial = (UInt32.max - 500, UInt32(truncatingIfNeeded: stream.next()))
      script.open()
      var (client, server) = (0, 0)
      for _ in 0..<30 {
        let octets = (0..<1 + Int(stream.below(90))).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
        switch stream.below(4) {
        case 0:
          script.segment(.server, server, octets, acknowledges: client)
          server += octets.count
        case 1 where octets.count > 1:
          // The second half first.
          let half = octets.count / 2
          script.segment(.client, client + half, Array(octets[half...]), acknowledges: server)
          script.segment(.client, client, Array(octets[..<half]), acknowledges: server)
          client += octets.count
        default:
          script.segment(.client, client, octets, acknowledges: server)
          if stream.below(3) == 0 { script.segment(.client, client, octets, acknowledges: server) }
          client += octets.count
        }
      }
      script.segment(.client, client, "", acknowledges: server, flags: .fin)
      script.segment(.server, server, "", acknowledges: client + 1, flags: .fin)
    }
    var writer = CaptureWriter(format: .pcapng, application: "tests")
    var octets: [UInt8] = []
    for record in script.records { try writer.append(record, to: &octets) }
    let path = try write(octets, folder, "made.pcapng")
    let read = NetworkRecorder.read(script.records)
    expect(read.gaps.isEmpty && read.streams.count == 2)
    for index in 0..<2 {
      let followed = try follow(path, index)
      expect(followed.client == read.octets(index, .client) && !followed.client.isEmpty)
      expect(followed.server == read.octets(index, .server) && !followed.server.isEmpty)
    }
    let malformed = try CaptureTool.fields(path, ["frame.number"], filter: "_ws.malformed || tcp.checksum.status == 0")
    expect(malformed.isEmpty)
  }
}
