import BluetoothWire
import CaptureFormats
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

/// A protocol whose values all begin with one octet, or any.
private class MadeUpProtocol: TrafficProtocol {
  class var name: String { "any" }
  class var first: UInt8? { nil }
  static var dialects: [String] { [] }

  required init(dialect: String?, session: TrafficSession) {}

  let interests: TrafficEvent.Interests = []
  var results: TrafficJudgement { TrafficJudgement(participants: [], dialect: nil, oracles: [], notes: []) }

  class func makePrinter() -> any PacketPrinter { Printer(name: name, first: first) }

  final class Printer: PacketPrinter {
    private let name: String
    private let first: UInt8?

    init(name: String, first: UInt8?) {
      self.name = name
      self.first = first
    }

    func packet(in value: PrintedValue) -> PrintedPacket? {
      guard first == nil || value.octets.first == first else { return nil }
      return PrintedPacket(text: "\(name) \(value.octets)", details: ["\(value.octets.count) octets"])
    }

    func name(of uuid: BluetoothUUID) -> String? { nil }
    func close(link: Int) {}
  }
}

private final class StarProtocol: MadeUpProtocol {
  override class var name: String { "star" }
  override class var first: UInt8? { 0x2A }
}

@Suite("The packets of apps, put into words by their protocols")
struct InspectPrinterTests {
  private static func connection(_ handle: UInt8) -> [UInt8] {
    [0x04, 0x3E, 0x13, 0x01, 0x00, handle, 0x00, 0x00, 0x01, 0xA0, 0xF4, 0xF3, 0xF2, 0xF1, handle]
      + [0x18, 0x00, 0x00, 0x00, 0x90, 0x01, 0x00]
  }

  /// ATT_WRITE_CMD to attribute 3.
  private static func write(_ octets: [UInt8], _ handle: UInt8) -> [UInt8] {
    let length = UInt8(octets.count + 3)
    return [0x02, handle, 0x00, length + 4, 0x00, length, 0x00, 0x04, 0x00, 0x52, 0x03, 0x00] + octets
  }

  private static func end(_ handle: UInt8) -> [UInt8] { [0x04, 0x05, 0x04, 0x00, handle, 0x00, 0x13] }

  /// What is said of the writes: the text after the ATT layer, empty where there is none.
  private func words(_ packets: [[UInt8]], _ protocols: [SpokenProtocol], _ layers: [InspectLayer]? = nil)
    -> [String]
  {
    var style = PacketInspector.Style()
    style.layers = layers
    let inspector = PacketInspector(filter: InspectFilter(), style: style, protocols: protocols)
    var words: [String] = []
    for (index, packet) in packets.enumerated() {
      let record = CaptureRecord(
        number: index + 1, link: .h4, nanoseconds: 0, originalLength: packet.count,
        body: .hci(adapter: 0, indicator: packet[0], isToHost: packet[0] == 4), octets: packet.dropFirst())
      let line = inspector.lines(record, file: 0, at: .zero) ?? ""
      let last = line.dropLast().split(separator: "  ").last ?? ""
      if packet[0] == 2 { words.append(String(last.drop { $0 == " " })) }
    }
    return words
  }

  @Test("The first protocol of the list that knows a value prints the whole link, and no other one does")
  func firstWins() {
    let packets = [
      Self.connection(0x40), Self.connection(0x41), Self.write([0x2A, 1], 0x40), Self.write([7], 0x40),
      Self.write([7], 0x41), Self.write([0x2A], 0x41),
    ]
    equal(
      words(packets, [SpokenProtocol(StarProtocol.self), SpokenProtocol(MadeUpProtocol.self)]),
      [
        "star [42, 1]", "ATT_WRITE_CMD 0x0003, 1 octet", "any [7]", "any [42]",
      ])
    expect(
      words(packets, [SpokenProtocol(MadeUpProtocol.self), SpokenProtocol(StarProtocol.self)]).allSatisfy {
        $0.hasPrefix("any")
      })
    equal(words(packets, [SpokenProtocol(StarProtocol.self)])[2], "ATT_WRITE_CMD 0x0003, 1 octet")
    expect(words(packets, []).allSatisfy { $0.hasPrefix("ATT_WRITE_CMD") })
  }

  @Test("A new connection is nobody's, whatever was spoken on the handle before")
  func newLink() {
    let packets = [
      Self.connection(0x40), Self.write([0x2A], 0x40), Self.end(0x40), Self.connection(0x40), Self.write([7], 0x40),
    ]
    equal(
      words(packets, [SpokenProtocol(StarProtocol.self), SpokenProtocol(MadeUpProtocol.self)]),
      [
        "star [42]", "any [7]",
      ])
  }

  @Test("The layer of a protocol has its name")
  func layers() {
    let packets = [Self.connection(0x40), Self.write([0x2A], 0x40), Self.connection(0x41), Self.write([7], 0x41)]
    let protocols: [SpokenProtocol] = [SpokenProtocol(StarProtocol.self), SpokenProtocol(MadeUpProtocol.self)]
    equal(
      InspectLayer.all(protocols).map(\.name),
      [
        "hci", "ll", "l2cap", "att", "ip", "tcp", "udp", "dns", "star", "any", "note",
      ])
    equal(words(packets, protocols, [.app("star")]), ["star [42]", ""])
  }
}
