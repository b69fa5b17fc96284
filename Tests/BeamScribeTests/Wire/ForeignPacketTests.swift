import BeamScribe
import Expectations
import Testing

/// Octets made by Python's `json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)` after
/// `struct.pack(">I", length)`: nothing of them comes from the code under test.
@Suite("Foreign packets")
struct ForeignPacketTests {
  static let vectors: [(hex: String, packet: BeamPacket)] = [
    (
      "000000617b22697346696e616c223a66616c73652c2273656e7454696d657374616d70223a313730303030303031322e32352c2273657175"
        + "656e6365223a372c2274657874223a22676f6f64206d6f72222c2274797065223a226c6976654368756e6b227d",
      .liveChunk(.init(isFinal: false, sentMilliseconds: 1_700_000_012_250, sequence: 7, text: "good mor"))
    ),
    (
      "000000477b22697346696e616c223a747275652c2273657175656e6365223a372c2274657874223a22476f6f64206d6f726e696e672e222c"
        + "2274797065223a226c6976654368756e6b227d",
      .liveChunk(.init(isFinal: true, sequence: 7, text: "Good morning."))
    ),
    (
      "000000727b226368756e6b73223a5b7b2273657175656e6365223a312c2274657874223a2248692e227d2c7b2273657175656e6365223a32"
        + "2c2274657874223a22c3a92f5c225c7530303031227d5d2c2274797065223a2266756c6c486973746f7279222c227570546f53657175"
        + "656e6365223a327d",
      .fullHistory(
        .init(chunks: [.init(sequence: 1, text: "Hi."), .init(sequence: 2, text: "é/\"\u{1}")], upToSequence: 2))
    ),
    (
      "000000337b226368756e6b73223a5b5d2c2274797065223a2266756c6c486973746f7279222c227570546f53657175656e6365223a307d",
      .fullHistory(.init(chunks: [], upToSequence: 0))
    ),
    ("000000257b22616c657274223a22626174746572794c6f77222c2274797065223a22616c657274227d", .alert(.batteryLow)),
    (
      "0000007c7b22697346696e616c223a747275652c2273656e7454696d657374616d70223a302e3030312c2273657175656e6365223a393030"
        + "373139393235343734303939312c2274657874223a225c625c745c6e5c665c725c75303031667f5c5c2f5c22e280a8f09f9880222c22"
        + "74797065223a226c6976654368756e6b227d",
      .liveChunk(
        .init(
          isFinal: true, sentMilliseconds: 1, sequence: 9_007_199_254_740_991,
          text: "\u{8}\t\n\u{C}\r\u{1F}\u{7F}\\/\"\u{2028}😀"))
    ),
    (
      "000000297b22616c657274223a2273657373696f6e526573756d6564222c2274797065223a22616c657274227d",
      .alert(.sessionResumed)
    ),
  ]

  @Test("Foreign frames are read", arguments: vectors.indices)
  func reading(_ index: Int) throws {
    let (hex, packet) = Self.vectors[index]
    var reader = FrameReader(.length)
    var piece = [UInt8].hex(hex)[...]
    let frame = try required(try reader.next(&piece))
    expect(piece.isEmpty)
    try equal(BeamPacket(decoding: frame.body), packet)
  }

  @Test("The same frames are written, octet by octet", arguments: vectors.indices)
  func writing(_ index: Int) {
    let (hex, packet) = Self.vectors[index]
    equal(Frame(body: packet.encoded()).encoded(.length), [UInt8].hex(hex))
  }
}
