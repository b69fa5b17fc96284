import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import Judging
import NetworkWire
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Captures of networks in inspect and check")
struct NetworkReportTests {
  private func lines(_ records: [CaptureRecord], _ style: PacketInspector.Style = PacketInspector.Style()) -> [String] {
    let inspector = PacketInspector(filter: InspectFilter(), style: style, protocols: [])
    return records.compactMap { record in
      let instant = SimInstant(nanoseconds: record.nanoseconds - records[0].nanoseconds)
      return inspector.lines(record, file: 0, at: instant)
    }
  }

  @Test("inspect prints a line for each packet, with ends, flags and numbers")
  func conversation() throws {
    let lines = lines(try NetworkScript.records(ForeignNetwork.loopback)).map { $0.trimmingCharacters(in: .newlines) }
    equal(lines.count, 11)
    equal(
      lines[0],
      "      1      0.000000       tcp 0    lo: TCP 127.0.0.1:46556 → 127.0.0.1:5555 [SYN] seq 3828829335, window"
        + " 65495, 0 octets  [stream 0 opens: 127.0.0.1:46556 → 127.0.0.1:5555]")
    expect(
      lines[3].hasSuffix(
        "lo: TCP 127.0.0.1:46556 → 127.0.0.1:5555 [PSH ACK] seq 3828829336, ack 3737738568, window 64, 5 octets"))
    expect(lines[9].hasSuffix("[stream 0: the client has sent all]  [stream 0 ends: finished by both sides]"))
  }

  @Test("inspect names what Multicast DNS asks and answers")
  func names() {
    var script = NetworkScript()
    for frame in ForeignNetwork.names { script.add(frame: frame, isOutgoing: true) }
    let lines = lines(script.records)
    expect(lines[0].contains(" out "))
    expect(lines[0].contains("mDNS [fe80::2]:5353 → [ff02::fb]:5353 asks _http._tcp.local. PTR?"))
    expect(lines[1].contains("answers _http._tcp.local. PTR Anna's desk._http._tcp.local."))
    expect(lines[1].contains("[service Anna's desk._http._tcp.local. at anna.local., port 8080 is announced]"))
    expect(lines[2].contains("is taken back]"))
    var style = PacketInspector.Style()
    style.isVerbose = true
    let tree = self.lines(script.records, style)[1]
    expect(tree.contains("Source station: 02:00:00:00:00:01") && tree.contains("Additional: anna.local. AAAA fe80::1"))
  }

  @Test("Names from the network drive no terminal and turn no text, in lines and in fields")
  func hostileNames() throws {
    for (name, shown) in [
      ("A\u{202E}\u{2066}desk", "A\\u{202e}\\u{2066}desk"),
      ("A\u{202E}\u{2066}\u{1B}[m\u{7}", "A\\u{202e}\\u{2066}\\u{1b}[m\\u{7}"),
    ] {
      var frame = ForeignNetwork.names[1]
      let place = try required(frame.firstRange(of: Array("Anna's desk".utf8)))
      equal(name.utf8.count, place.count)
      frame.replaceSubrange(place, with: Array(name.utf8))
      var packet = try IPPacket(decoding: Array(frame.dropFirst(14)))
      let datagram = UDPDatagram(
        sourcePort: 5_353, destinationPort: 5_353, payload: Array(packet.payload.dropFirst(UDPDatagram.headerLength)))
      packet.payload = datagram.octets(from: packet.source, to: packet.destination)
      frame = frame.prefix(14) + packet.octets
      var script = NetworkScript()
      script.add(frame: frame)
      var style = PacketInspector.Style()
      style.isVerbose = true
      for text in lines(script.records) + lines(script.records, style) {
        expect(text.contains("PTR \(shown)._http._tcp.local."), "\(text)")
        expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ShownText.isShown($0) })
      }
    }
  }

  @Test("What is no packet of IP has a line all the same, and filters by layer know the new ones")
  func others() throws {
    var script = NetworkScript()
    script.add(frame: [UInt8](repeating: 0, count: 12) + [0x08, 0x06, 1, 2, 3])
    script.open()
    var style = PacketInspector.Style()
    style.layers = [.tcp]
    expect(lines(script.records)[0].contains("frame of type 0x0806, 17 octets"))
    equal(lines(script.records, style).count, 3)
  }

  private func report(_ files: [[UInt8]], _ type: SpokenProtocol? = nil) throws -> CheckReport {
    let folder = try CaptureFolder()
    var paths: [String] = []
    for (index, file) in files.enumerated() {
      paths.append(folder.path + "/\(index).pcapng")
      try Data(file).write(to: URL(fileURLWithPath: paths[index]))
    }
    return try Checker(paths: paths, protocolType: type).report()
  }

  @Test("check counts streams and names, and judges nothing without an app's protocol")
  func nothingJudged() throws {
    var octets: [UInt8] = []
    var writer = CaptureWriter(format: .pcapng, application: "tests")
    var script = NetworkScript()
    for frame in ForeignNetwork.names.prefix(2) { script.add(frame: frame) }
    script.interfaceName = "Anna wifi"
    script.open()
    script.segment(.client, 0, "abc")
    script.segment(.client, 5, "fgh")
    for record in script.records { try writer.append(record, to: &octets) }
    let report = try report([octets])
    expect(report.verdict == .none && report.rules.allSatisfy { $0.verdict == .none })
    equal(ExitCode(report.verdict).rawValue, 2)
    let text = CheckText.text(report)
    expect(text.contains("Anna wifi  10.0.0.1:50000  10.0.0.2:80"))
    expect(text.contains("Anna's desk._http._tcp.local."))
    expect(text.contains("7 records of networks, not of Bluetooth; only an app's --protocol judges them"))
    expect(text.contains("stream 0: octets that had not come when the connection or the capture ended"))
    let json = String(decoding: CheckJSONReport.octets(report, repeatLine: "again"), as: UTF8.self)
    expect(json.contains("\"clientOctets\": 6") && json.contains("\"isAnnounced\": true"))
    let page = String(
      decoding: try CheckPage.octets(report, version: "0", repeatLine: "again"), as: UTF8.self)
    expect(page.contains("<h2>Streams</h2>") && page.contains("<h2>Services</h2>") && page.contains("nothing judged"))
  }

  @Test("A protocol that finds nothing of its own in a network is inconclusive")
  func inconclusive() throws {
    try equal(report([ForeignNetwork.loopback], SpokenProtocol(SilentProtocol.self)).verdict, .inconclusive)
  }

  @Test("A protocol of an app reads octets of streams, and its printer puts them into words")
  func seam() throws {
    let records = try NetworkScript.records(ForeignNetwork.loopback)
    let inspector = PacketInspector(
      filter: InspectFilter(), style: PacketInspector.Style(),
      protocols: [SpokenProtocol(SilentProtocol.self), SpokenProtocol(GreetingProtocol.self)])
    let lines = records.compactMap { inspector.lines($0, file: 0, at: .zero) }
    expect(lines[3].contains("window 64, 5 octets  greeting “world”"))
    expect(lines[5].contains("greeting “hello world”"))
    let report = try report([ForeignNetwork.loopback], SpokenProtocol(GreetingProtocol.self))
    expect(report.verdict == .pass && report.judgement?.oracles[0].judged == 2)
  }

  @Test("Clocks of two machines are compared by the segments that both have")
  func clocks() throws {
    var ends: [NetworkScript] = [NetworkScript(), NetworkScript()]
    ends[1].nanoseconds = 5_000_000_000
    for index in 0..<12 {
      let side: TrafficStream.Side = index % 2 == 0 ? .client : .server
      let offset = index / 2 * 4
      for (end, own) in [(0, TrafficStream.Side.client), (1, .server)] {
        ends[end].isOutgoing = side == own
        // One millisecond on the way.
        let delay: Int64 = side == own ? 0 : 1_000_000
        ends[end].nanoseconds += delay
        ends[end].segment(side, offset, "\(1_000 + index)", acknowledges: offset)
        ends[end].nanoseconds += 20_000_000 - delay
      }
    }
    let files = try ends.map { script in
      var writer = CaptureWriter(format: .pcapng, application: "tests")
      var octets: [UInt8] = []
      for record in script.records { try writer.append(record, to: &octets) }
      return octets
    }
    let clock = try required(try report(files).captures[1].clock)
    expect(clock.matches == 12 && !clock.isOneSided)
    expect((clock.offset.nanoseconds + 5_000_000_000).magnitude <= 1_000)
    expect(clock.uncertainty <= .milliseconds(1))
  }
}

/// Knows nothing of networks: the words for them have defaults.
private class SilentProtocol: TrafficProtocol {
  class var name: String { "silent" }
  class var dialects: [String] { [] }
  fileprivate var judged = 0

  required init(dialect: String?, session: TrafficSession) {}

  var interests: TrafficEvent.Interests { [.network] }
  class func makePrinter() -> any PacketPrinter { SilentPrinter() }
  func observe(network event: TrafficNetworkEvent) {}

  var results: TrafficJudgement {
    let oracle = OracleResult(
      id: "Greetings", claim: "Somebody greets.", clause: "1", verdict: judged > 0 ? .pass : .none, judged: judged,
      open: 0, openAtEdges: 0, findings: [], suppressedFindings: 0)
    return TrafficJudgement(participants: [], dialect: nil, oracles: [oracle], notes: [])
  }
}

private final class GreetingProtocol: SilentProtocol {
  override class var name: String { "greeting" }
  override class func makePrinter() -> any PacketPrinter { GreetingPrinter() }
  override func observe(network event: TrafficNetworkEvent) {
    if case .octets(_, _, _, let octets) = event.kind, octets.elementsEqual("world".utf8) || octets.count == 11 {
      judged += 1
    }
  }
}

private class SilentPrinter: PacketPrinter {
  func packet(in value: PrintedValue) -> PrintedPacket? { nil }
  func name(of uuid: BluetoothUUID) -> String? { nil }
  func close(link: Int) {}
}

private final class GreetingPrinter: PacketPrinter {
  func packet(in value: PrintedValue) -> PrintedPacket? { nil }
  func name(of uuid: BluetoothUUID) -> String? { nil }
  func close(link: Int) {}
  func packets(in octets: PrintedOctets) -> [PrintedPacket]? {
    [PrintedPacket(text: "greeting “\(String(decoding: octets.octets, as: UTF8.self))”", details: [])]
  }
}
