import BabFuzzing
import BabSim
import BluetoothWire
import Expectations
import Testing

@Suite("Packet lines")
struct WirePacketLinesTests {
  let heartbeat = packetText(
    #"{"type":"HEARTBEAT","senderId":"x","vectorClock":{"timestamps":{}},"payload":{"type":"@Heartbeat"}}"#)

  /// RFC 4648, section 10.
  @Test(
    "Base64 test vectors of RFC 4648",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(_ plain: String, _ text: String) throws {
    equal(Base64.encode(Array(plain.utf8)), text)
    try equal(Base64.decode(Array(text.utf8)), Array(plain.utf8))
  }

  @Test(
    "Base64 that is cut, padded wrongly, or holds other characters is refused with the offset",
    arguments: [
      ("Zg", "base64 is not a multiple of 4 characters at offset 2"), ("====", "invalid base64 character at offset 0"),
      ("Zg=a", "invalid base64 character at offset 2"), ("Zm9v Zg=", "invalid base64 character at offset 4"),
      ("Zh==", "base64 bits after the last octet at offset 1"),
      ("Zm9=", "base64 bits after the last octet at offset 2"), ("Z===", "invalid base64 character at offset 1"),
      ("-_-_", "invalid base64 character at offset 0"),
    ])
  func base64Refusals(_ text: String, _ refusal: String) {
    equal(PacketLines.decode(Array(text.utf8), input: .base64), "REJECT " + refusal)
  }

  @Test("Base64 of any octets decodes to them")
  func base64RoundTrip() throws {
    var generator = PacketGenerator(seed: 17)
    for length in 0..<100 {
      let octets = generator.octets(length)
      try equal(Base64.decode(Array(Base64.encode(octets).utf8)), octets)
    }
  }

  @Test("decode answers ACCEPT with the canonical text, or REJECT with the reason and the offset")
  func decode() {
    let lenient = packetText(#" {type:HEARTBEAT,senderId:x,vectorClock:{},payload:{type:@Heartbeat}} "#)
    let accepted = "ACCEPT " + String(decoding: heartbeat, as: UTF8.self)
    equal(PacketLines.decode(lenient, input: .text), accepted)
    equal(PacketLines.decode(Array(Base64.encode(lenient).utf8), input: .base64, dialect: .sdk), accepted)
    // The example of Docs/Formats/packet-lines.md.
    let example = Array("{type:HEARTBEAT,senderId:7,vectorClock:{},payload:{}}".utf8)
    equal(PacketLines.decode(example, input: .text), "REJECT payload without type at offset 50")
    equal(PacketLines.decode([], input: .text), "REJECT unexpected end at offset 0")
    equal(
      PacketLines.decode(Array(#"{"type":"HEARTBEAT"}"#.utf8), input: .text),
      #"REJECT missing key "senderId" at offset 20"#)
  }

  @Test("encode answers the canonical packet in the form of its input")
  func encode() {
    let lenient = packetText(#"{type:HEARTBEAT,senderId:x,vectorClock:{},payload:{type:@Heartbeat}}"#)
    equal(PacketLines.encode(lenient, input: .text), String(decoding: heartbeat, as: UTF8.self))
    equal(
      PacketLines.encode(Array(Base64.encode(lenient).utf8), input: .base64), Base64.encode(heartbeat))
    equal(PacketLines.encode([0x7B], input: .text), "REJECT unexpected end at offset 1")
  }

  @Test("frame answers the values for the ATT_MTU, and counts packet IDs from line to line")
  func frame() throws {
    var fragmenter = Fragmenter()
    let first = PacketLines.frame(heartbeat, input: .text, fragmenter: &fragmenter)
    equal(first, "00000001" + String(hexadecimal: heartbeat))
    let second = PacketLines.frame(
      heartbeat, input: .text, dialect: .app, attMTU: 100, output: .base64, fragmenter: &fragmenter)
    let values = try second.split(separator: " ").map { try Base64.decode(Array($0.utf8)) }
    equal(values.map { Array($0.prefix(4)) }, [[0, 1, 0, 2], [0, 1, 1, 2]])
    equal(values.flatMap { $0.dropFirst(4) }, heartbeat)
    equal(
      PacketLines.frame(heartbeat, input: .text, attMTU: 5, fragmenter: &fragmenter),
      "REJECT ATT_MTU 5 leaves no room for a fragment")
    equal(PacketLines.frame([], input: .text, fragmenter: &fragmenter), "REJECT unexpected end at offset 0")
  }
}
