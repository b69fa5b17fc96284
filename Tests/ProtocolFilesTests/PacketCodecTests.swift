import BluetoothWire
import Expectations
import Testing

@testable import ProtocolFiles

@Suite("Packets of protocol files")
struct PacketCodecTests {
  private func packet(_ fields: [(String, String)]) throws -> ProtocolForm.Packet {
    var made: [ProtocolForm.Field] = []
    for (name, text) in fields {
      let earlier = made.filter { if case .integer = $0.kind { true } else { false } }.map(\.name)
      made.append(
        try TypeReader.binary(name, text, earlier: earlier, before: made.map(\.name), isBigEndian: false))
    }
    return ProtocolForm.Packet(
      name: "packet", senders: [], characteristic: BluetoothUUID(0x2A37), body: .fields(made))
  }

  /// Heart Rate Measurement (Heart Rate Service 1.0, 3.1.1).
  private func heartRate() throws -> ProtocolForm.Packet {
    try packet([
      ("flags", "u8"), ("rate", "u8 unless flags & 1"), ("wide rate", "u16 when flags & 1"),
      ("energy", "u16 when flags & 8"), ("intervals", "list of u16 when flags & 16"),
    ])
  }

  @Test("Heart Rate Measurements of a real strap, as Wireshark shows them")
  func heartRateMeasurements() throws {
    // Polar H7: flags 0x16, 74 beats per minute, two RR intervals of 1/1024 s.
    let read = try heartRate().decode([0x16, 0x4A, 0x2F, 0x03, 0x33, 0x03])
    equal(read["rate"], .number(74))
    equal(read["intervals"], .list([.number(815), .number(819)]))
    expect(read["energy"] == nil)
    let wide = try heartRate().decode([0x09, 0x2C, 0x01, 0x10, 0x27])
    equal(wide["wide rate"], .number(300))
    equal(wide["energy"], .number(10_000))
  }

  @Test("What was read is written again, octet for octet")
  func roundTrip() throws {
    for octets: [UInt8] in [[0x16, 0x4A, 0x2F, 0x03, 0x33, 0x03], [0x00, 0x50], [0x09, 0x2C, 0x01, 0x10, 0x27]] {
      let read = try heartRate().decode(octets)
      try equal(heartRate().encode(read.fields), octets)
    }
  }

  @Test("Lengths before, in a field, fixed, up to 0 and up to the end")
  func extents() throws {
    let all = try packet([
      ("kind", "u8 = 7"), ("size", "u16 be"), ("a", "text u8"), ("b", "octets size"), ("c", "text 4"),
      ("d", "text until 0"), ("e", "octets"),
    ])
    let octets: [UInt8] =
      [7, 0, 2] + [2, 0x68, 0x69] + [0xAA, 0xBB] + [0x6F, 0x6B, 0, 0] + [0x7A, 0] + [1, 2, 3]
    let read = try all.decode(octets)
    equal(read["a"], .text("hi"))
    equal(read["b"], .octets([0xAA, 0xBB]))
    equal(read["c"], .text("ok"))
    equal(read["d"], .text("z"))
    equal(read["e"], .octets([1, 2, 3]))
    try equal(all.encode(read.fields), octets)
    // The size follows from what it is the size of.
    let values = read.fields.filter { $0.name != "size" && $0.name != "kind" }
    try equal(all.encode(values), octets)
  }

  /// Check values of the catalogue of parametrised CRC algorithms: the text 123456789.
  @Test(
    "Checksums over the text 123456789 are those that others publish",
    arguments: [("crc16 u16 be", "29b1"), ("crc32 u32 be", "cbf43926")])
  func checksums(type: String, expected: String) throws {
    let checked = try packet([("text", "text 9"), ("sum", type)])
    let octets = try checked.encode([("text", .text("123456789"))])
    equal(String(hexadecimal: Array(octets.dropFirst(9))), expected)
    try equal(checked.decode(octets)["text"], .text("123456789"))
    var broken = octets
    broken[0] ^= 1
    #expect(throws: PacketRefusal.self) { try checked.decode(broken) }
  }

  /// The question for basic data that public documents of JBD battery monitors show, and an answer with made-up values.
  @Test("A checksum covers the fields that it names")
  func partialChecksum() throws {
    let ask = try packet([
      ("start", "u16 be = 0xDDA5"), ("command", "u8"), ("size", "u8"), ("data", "octets size"),
      ("check", "complement u16 be from command"), ("end", "u8 = 0x77"),
    ])
    let octets: [UInt8] = [0xDD, 0xA5, 0x03, 0x00, 0xFF, 0xFD, 0x77]
    try equal(ask.decode(octets)["check"], .number(0xFFFD))
    try equal(ask.encode([("command", .number(3)), ("data", .octets([]))]), octets)
    var wrong = octets
    wrong[5] = 0xFC
    #expect(throws: PacketRefusal.self) { try ask.decode(wrong) }
    // 1 + 2 + 3, without the field before and the field after; an absent field is no octet.
    let between = try packet([
      ("flags", "u8"), ("a", "u8"), ("maybe", "u16 when flags & 1"), ("b", "u16"), ("after", "u8"),
      ("sum", "sum u8 from a to b"), ("rest", "octets"),
    ])
    try equal(between.decode([0, 1, 2, 3, 9, 6, 7])["rest"], .octets([7]))
    try equal(between.decode([1, 1, 4, 4, 2, 3, 9, 14])["rest"], .octets([]))
    #expect(throws: PacketRefusal.self) { try between.decode([0, 1, 2, 3, 9, 7, 7]) }
  }

  @Test("Any octets are a packet or a refusal, and what is a packet is written as it was read")
  func total() throws {
    let forms = [
      try heartRate(),
      try packet([("n", "u8"), ("list", "list of u24 be count n"), ("rest", "text")]),
      try packet([("a", "text u16"), ("b", "octets u8"), ("c", "i64 -5..5")]),
      try packet([("kind", "u8"), ("x", "u32 when kind = 2"), ("sum", "xor u8")]),
    ]
    var generator = SystemRandomNumberGenerator()
    var packets = 0
    for _ in 0..<20_000 {
      let octets = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      for form in forms {
        guard let read = try? form.decode(octets) else { continue }
        packets += 1
        try equal(form.encode(read.fields), octets, "\(read)")
      }
    }
    expect(packets > 1_000)
  }

  @Test("JSON packets, with members in any order and others read over")
  func json() throws {
    let fields = try [("type", "text = join"), ("name", "text 1..5"), ("age", "number optional")].map {
      try TypeReader.json($0.0, $0.1)
    }
    let packet = ProtocolForm.Packet(
      name: "join", senders: [], characteristic: BluetoothUUID(0x2A37), body: .json(fields))
    let read = try packet.decode(Array(#"{"name":"ann","x":[1,{}],"type":"join"}"#.utf8))
    equal(read["name"], .text("ann"))
    equal(
      String(decoding: try packet.encode([("name", .text("a\"b"))]), as: UTF8.self), #"{"type":"join","name":"a\"b"}"#
    )
    for wrong in [
      "", "[]", #"{"type":"leave","name":"ann"}"#, #"{"type":"join","name":"toolong"}"#, #"{"type":"join"}"#,
    ] {
      #expect(throws: PacketRefusal.self) { try packet.decode(Array(wrong.utf8)) }
    }
  }

  /// The envelope of Bab's packets (BAB 4.1).
  @Test("Members of objects in objects are named by their paths")
  func paths() throws {
    let fields = try [
      ("type", "text = HANDSHAKE"), ("senderId", "text"), ("vectorClock.timestamps.ann", "number"),
      ("payload.participant.id", "text"), ("payload.participant.isHost", "flag"), ("payload.note", "text optional"),
    ].map { try TypeReader.json($0.0, $0.1) }
    let packet = ProtocolForm.Packet(
      name: "handshake", senders: [], characteristic: BluetoothUUID(0x2A37), body: .json(fields))
    let text =
      #"{"type":"HANDSHAKE","senderId":"ann","vectorClock":{"timestamps":{"ann":1}},"#
      + #""payload":{"participant":{"id":"ann","isHost":false}}}"#
    let read = try packet.decode(Array(text.utf8))
    equal(read["payload.participant.id"], .text("ann"))
    equal(String(decoding: try packet.encode(read.fields), as: UTF8.self), text)
    #expect(throws: PacketRefusal.self) {
      try packet.decode(Array(text.replacing(#"{"id":"ann","isHost":false}"#, with: "7").utf8))
    }
  }

  @Test("Members of the entries of a list, objects with any names, and numbers with a fraction")
  func entries() throws {
    let fields = try [
      ("players", "text at lobby.players[].id"), ("names", "text at lobby.players[].name"), ("clock", "map of number"),
      ("share", "decimal 0..1"),
    ].map { try TypeReader.json($0.0, $0.1) }
    let packet = ProtocolForm.Packet(
      name: "lobby", senders: [], characteristic: BluetoothUUID(0x2A37), body: .json(fields))
    let text =
      #"{"lobby":{"players":[{"id":"a","name":"Ann"},{"id":"b","name":"Bob"}]},"clock":{"a":3,"b":1},"share":0.812}"#
    let read = try packet.decode(Array(text.utf8))
    equal(read["players"], .list([.text("a"), .text("b")]))
    equal(read["names"]?.text, "Ann Bob")
    equal(read["clock"]?.text, "a 3 b 1")
    equal(read["share"], .decimal(812_000))
    equal(String(decoding: try packet.encode(read.fields), as: UTF8.self), text)
    for (old, new) in [(#""id":"a","#, ""), ("0.812", "1.5"), ("0.812", "\"x\""), (#""b":1"#, #""b":"1""#)] {
      #expect(throws: PacketRefusal.self, "\(old)") { try packet.decode(Array(text.replacing(old, with: new).utf8)) }
    }
  }

  @Test(
    "Numbers with a fraction are exact to six digits",
    arguments: [
      ("0.812", "0.812"), ("-0.5", "-0.5"), ("1", "1.0"), ("1.5e3", "1500.0"), ("12e-1", "1.2"), ("1e-9", "0.0"),
      ("0.1234567", "0.123456"), ("9e12", "9000000000000.0"),
    ])
  func decimals(text: String, shown: String) {
    equal(DecimalText.millionths(text).map { DecimalText.text($0) }, shown)
  }

  @Test(
    "What is no number, or too large, has no millionths", arguments: ["", "-", ".5", "5.", "1e99", "1e", "x", "1_0"])
  func noDecimals(text: String) { expect(DecimalText.millionths(text) == nil) }
}
