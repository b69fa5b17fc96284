import BluetoothWire
import Expectations
import Judging
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Text of packets, put together as UTF-8")
struct PacketTextTests {
  private static let numbers: [Int] = [0, 1, 9, 10, 99, 100, 12_345, .max, -1, -10, .min]

  @Test("Numbers are those that Swift writes, right-aligned where a width is given", arguments: numbers)
  func decimal(number: Int) {
    let text: PacketText = "\(number)"
    equal(text.description, String(number))
    var column: PacketText = "|"
    column.append(number, width: 7)
    let spaces = String(repeating: " ", count: max(0, 7 - String(number).count))
    equal(column.description, "|" + spaces + String(number))
  }

  @Test("Small integers have their sign and their whole range")
  func integers() {
    let text: PacketText = "\(Int8.min) \(Int8(5)) \(UInt8.max) \(UInt64.max) \(Int64.min)"
    equal(text.description, "\(Int8.min) \(Int8(5)) \(UInt8.max) \(UInt64.max) \(Int64.min)")
  }

  @Test("Hexadecimal numbers are those of hexNumber", arguments: [0, 1, 0x13, 0xABC, 0xFFFF, 0x1_2345, UInt64.max])
  func hexadecimal(number: UInt64) {
    for digits in [1, 2, 4, 8, 16] {
      let text: PacketText = "\(hex: number, digits: digits)"
      equal(text.description, hexNumber(number, digits: digits))
    }
  }

  @Test(
    "Instants are seconds with six decimals",
    arguments: [
      (0, "    0.000000"), (999, "    0.000000"), (1_000, "    0.000001"), (28_795_380_999, "   28.795380"),
      (-1_500_000_000, "   -1.500000"), (123_456_000_000_000, "123456.000000"),
      (Int64.max, "9223372036.854775"), (Int64.min, "-9223372036.854775"),
    ])
  func instants(nanoseconds: Int64, expected: String) {
    var text = PacketText()
    text.append(SimInstant(nanoseconds: nanoseconds), width: 12)
    equal(text.description, expected)
    expect(text.description.drop { $0 == " " } == SimInstant(nanoseconds: nanoseconds).microseconds)
  }

  @Test(
    "Control characters of a string become escapes, all others stay",
    arguments: [
      "", "plain", "C→P × –", "a\nb\u{0}", "\u{1B}[31mred", "\u{7F}", "\u{80}\u{9F}", "\u{A0}£é", "e\u{301}\u{1F600}",
      "long enough to need memory of its own, and a bell \u{7}", "\r\n",
    ])
  func escapes(string: String) {
    let text: PacketText = "<\(string)>"
    equal(text.description, "<" + ConsoleTable.oneLine(string) + ">")
    expect(!text.octets.contains { $0 < 0x20 || $0 == 0x7F })
    var verbatim = PacketText()
    verbatim.append(verbatim: string)
    equal(verbatim.octets, Array(string.utf8))
  }

  @Test("A column counts scalars, and what is too long for it stays whole")
  func columns() {
    var text = PacketText()
    text.append(width: 5) { $0.appendLiteral("C→P") }
    text.append(width: 3) { $0.append("link \(12)") }
    text.append(width: 2) { _ in }
    equal(text.description, "C→P  link 12  ")
    text.trim()
    equal(text.description, "C→P  link 12")
  }

  @Test("UUIDs and addresses are written as everywhere")
  func names() throws {
    let long = BluetoothUUID(high: 0x1234_5678_9ABC_DEF0, low: 0x1122_3344_5566_7788)
    let address = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A0)
    let text: PacketText = "\(BluetoothUUID(0x2A0)) \(long) \(address)"
    equal(text.description, "\(BluetoothUUID(0x2A0)) \(long) \(address)")
  }

  @Test("Texts are put together, and one is used again")
  func reuse() {
    let inner: PacketText = "in\(1)"
    let word: StaticString = "wo\u{2013}rd"
    var text: PacketText = "\(inner), \(word)"
    text.append(" end")
    equal(text.description, "in1, wo–rd end")
    text.clear()
    expect(text.octets.isEmpty)
    text.append("x")
    equal(text.description, "x")
  }
}

@Suite("What one line of a packet shows")
struct InspectedPacketTests {
  private func shown(_ kinds: [InspectLayer]) -> [InspectLayer] {
    let packet = InspectedPacket()
    for kind in kinds { packet.add(.init(kind: kind, text: "")) }
    return packet.layers[packet.headline].map(\.kind)
  }

  @Test("The highest layer, with an app's the one below it, and all remarks, whatever came first")
  func headline() {
    equal(shown([]), [])
    equal(shown([.hci]), [.hci])
    equal(shown([.att, .hci, .l2cap]), [.att])
    equal(shown([.note, .hci, .note]), [.hci, .note, .note])
    equal(shown([.app("echo"), .note, .att, .hci]), [.att, .app("echo"), .note])
    equal(shown([.app("echo")]), [.app("echo")])
    equal(shown([.note]), [.note])
  }

  @Test("Layers of one height keep their order, and nothing is left after a packet")
  func order() {
    let packet = InspectedPacket()
    for text: PacketText in ["a", "b"] { packet.add(.init(kind: .note, text: text)) }
    packet.add(.init(kind: .ll, text: "c"))
    packet.add(.init(kind: .hci, text: "d"))
    equal(packet.layers.map(\.text.description), ["d", "c", "a", "b"])
    packet.direction = .in
    packet.links = [1]
    packet.clear()
    expect(packet.layers.isEmpty && packet.links.isEmpty && packet.direction == .unknown)
  }
}
