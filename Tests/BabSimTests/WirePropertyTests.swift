import BabFuzzing
import BabSim
import Expectations
import SimKernel
import Testing

@Suite("Bab packets, any octets")
struct WirePropertyTests {
  @Test("What is encoded decodes to itself, for every kind of packet", arguments: PacketType.allCases)
  func roundTrip(_ type: PacketType) throws {
    var generator = PacketGenerator(seed: 7)
    for _ in 0..<(type == .fullStateSnapshot ? 60 : 200) {
      let packet = generator.packet(type)
      let octets = packet.encoded()
      let back = try BabPacket(decoding: octets)
      equal(back, packet)
      equal(back.encoded(), octets)
      expect(String(validating: octets, as: UTF8.self) != nil)
      expect(!octets.contains { $0 < 0x20 })
    }
  }

  @Test("With its discriminator moved to the end of the payload a packet is the same", arguments: PacketType.allCases)
  func lateDiscriminator(_ type: PacketType) throws {
    var generator = PacketGenerator(seed: 8)
    for _ in 0..<20 {
      let packet = generator.packet(type)
      let text = String(decoding: packet.encoded(), as: UTF8.self)
      let start = try required(text.firstRange(of: #""payload":{"#)).upperBound
      let fields = text[start...].dropLast(2)
      let cut = fields.dropFirst(8).firstIndex(of: "\"") ?? fields.endIndex
      let discriminator = text[start...cut]
      let rest = fields[fields.index(after: cut)...].dropFirst()
      let moved = text[..<start] + (rest.isEmpty ? "" : rest + ",") + discriminator + "}}"
      try equal(BabPacket(decoding: Array(moved.utf8)), packet)
    }
  }

  /// The shared vectors where they are, else the embedded excerpts.
  static let seeds: [[UInt8]] = {
    var seeds: [[UInt8]] = []
    for table in ["bab-packets.tsv", "bab-decode.tsv"] {
      for row in SharedVectors.rows(table) ?? [] {
        if let octets = try? SharedVectors.octets(base64: row[1]) { seeds.append(octets) }
      }
    }
    return seeds.isEmpty ? GoldenPackets.all.map(packetText) : seeds
  }()

  /// Refused, or canonical when written again.
  static func isTotal(_ octets: [UInt8]) -> Bool {
    do throws(BabPacketError) {
      let packet = try BabPacket(decoding: octets)
      let canonical = packet.encoded()
      guard let back = try? BabPacket(decoding: canonical) else { return false }
      return back == packet && back.encoded() == canonical
    } catch {
      return error.offset >= 0 && error.offset <= octets.count
    }
  }

  @Test("Every prefix of a packet is refused", arguments: 0..<GoldenPackets.all.count)
  func prefixes(_ index: Int) {
    let octets = packetText(GoldenPackets.all[index])
    for length in 0..<octets.count {
      let prefix = Array(octets[..<length])
      equal(verdict(prefix), "REJECT")
      expect(Self.isTotal(prefix))
    }
  }

  @Test("Every change of one octet is refused or read, and never traps")
  func singleOctets() {
    var accepted = 0
    for seed in Self.seeds {
      for place in seed.indices {
        var changed = seed
        for value in [0x22, 0x5C, 0xFF] as [UInt8] {
          changed[place] = value
          let isTotal = Self.isTotal(changed)
          expect(isTotal, "octet \(place) of \(String(decoding: seed, as: UTF8.self)) set to \(value)")
        }
        changed[place] = seed[place]
        changed.remove(at: place)
        let isTotal = Self.isTotal(changed)
        expect(isTotal, "octet \(place) of \(String(decoding: seed, as: UTF8.self)) left out")
        if verdict(changed) != "REJECT" { accepted += 1 }
      }
    }
    // Dropping a letter of a name or text leaves a packet; a codec that refuses everything would pass without this.
    expect(accepted > 100)
  }

  @Test("Random pieces of JSON never trap")
  func pieces() {
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "d83d", "null", "true", "1e", "-", "0x1p", ".5", "type",
      "\"type\"", "\"payload\"", "\"vectorClock\"", "\"timestamps\"", "\"senderId\"", "\"HEARTBEAT\"", "\"state\"",
      "\"com.bablabs.bringabrainlanguage.domain.models.PacketPayload.FullStateSnapshot\"", "\"roles\"", " ", "\u{0}",
      "é", "{\"type\":\"com.bablabs.bringabrainlanguage.domain.models.PacketPayload.LineCompleted\",", "\"result\":{",
      "\"accuracy\":", "\"payload\":{", "{\"type\":\"HEARTBEAT\",\"senderId\":\"x\",\"vectorClock\":{},",
    ].map { Array($0.utf8) }
    var generator = PacketGenerator(seed: 9)
    for _ in 0..<20_000 {
      var octets: [UInt8] = generator.flag() ? pieces[pieces.count - 1] : []
      for _ in 0..<generator.below(20) { octets += pieces[generator.below(pieces.count)] }
      expect(Self.isTotal(octets))
    }
  }
}
