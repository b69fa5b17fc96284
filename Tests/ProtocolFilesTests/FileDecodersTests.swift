import Expectations
import Fuzzing
import SimKernel
import Testing

@testable import ProtocolFiles

/// The rows of the fuzz table that follow from a protocol file.
@Suite("Decoders of protocol files")
struct FileDecodersTests {
  private static let text = """
    protocol: mixed
    roles: { server: {}, client: {} }
    services:
      s:
        uuid: FFF0
        of: server
        characteristics:
          in: { uuid: FFF1, properties: [write], framing: { fragments: [id u16 be, index u8, count u8] } }
          out: { uuid: FFF2, properties: [notify], framing: { length: u16 be } }
    packets:
      ask: { by: client, on: in, json: { name: text, tags: list of text, more: number optional, raw: octets } }
      answer:
        by: server
        on: out
        fields:
          kind: u8 = 7
          flags: u8 0..3
          wide: u32 be when flags & 1
          size: u8
          name: text size
          numbers: list of i16 count 3
          rest: octets u16
          sum: crc16 u16

    """

  private static func decoders(_ text: String = text) throws -> [FuzzedDecoder] {
    FuzzedDecoder.file(try ProtocolFileTests.form(text))
  }

  @Test("What is drawn of a file is taken, and every kind of packet is drawn")
  func drawn() throws {
    for text in [Self.text, ProtocolFileTests.chat] {
      let decoder = try required(Self.decoders(text).first)
      var stream = RandomStream(seed: 1, component: "test", purpose: "drawn")
      var kinds: Set<UInt64> = []
      for _ in 0..<400 {
        let input = decoder.valid(&stream)
        guard case .success(.accepted(let kind, let canonical?)) = decoder.judge(input) else {
          return expect(false, "\(decoder.name): \(decoder.judge(input)) for \(input)")
        }
        kinds.insert(kind)
        equal(canonical, input)
      }
      equal(kinds.count, (try ProtocolFileTests.form(text).packets.count))
    }
  }

  @Test("No octets break a rule, whatever the framing", arguments: [1, 2] as [UInt64])
  func total(seed: UInt64) throws {
    for decoder in try Self.decoders() + [.protocolFile] {
      var stream = RandomStream(seed: seed, component: "test", purpose: "total")
      var input = decoder.valid(&stream)
      for number in 0..<(decoder.name == "protocol-file" ? 400 : 4_000) {
        var mutated = RandomStream(seed: seed, component: "test", purpose: "\(number)")
        input = decoder.grammar.mutated(
          number % 8 == 0 ? decoder.valid(&stream) : input, with: decoder.valid(&stream), capacity: decoder.limit,
          stream: RandomStream(seed: mutated.next(), component: "test", purpose: "mutation"))
        if case .failure(let fault) = decoder.judge(input) { Issue.record("\(decoder.name): \(fault)") }
      }
    }
  }

  @Test("Drawn protocol files are protocol files, with every framing and claim")
  func files() {
    var stream = RandomStream(seed: 1, component: "test", purpose: "files")
    var accepted = 0
    for _ in 0..<100 {
      if case .accepted = FuzzedDecoder.protocolFile.decode(FuzzedDecoder.protocolFile.valid(&stream)) { accepted += 1 }
    }
    expect(accepted >= 60, "\(accepted) of 100")
  }

  @Test("Without a framing there are no values to put together")
  func rows() throws {
    try equal(Self.decoders().map(\.name), ["mixed-packet", "mixed-values"])
    try equal(Self.decoders(ProtocolFileTests.chat).map(\.name), ["chat-packet"])
  }
}
