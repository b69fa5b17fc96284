import BabSim
package import Fuzzing
import SimKernel

/// What takes octets from outside in Bab: packets, their fragments, and the lines of the packet filter.
extension FuzzedDecoder {
  package static let bab: [FuzzedDecoder] = [packet, base64, packetLine, fragments(.framed), fragments(.raw)]

  private static func words(_ stream: inout RandomStream) -> [UInt8] {
    var generator = PacketGenerator(stream)
    _ = stream.next()
    let types = PacketType.allCases
    return generator.packet(types[Int(stream.below(UInt64(types.count)))]).encoded()
  }

  private static let packet = FuzzedDecoder(
    "bab-packet", "Bab packets",
    in: ["Sources/BabSim/Wire/JSON/BabPacket+Decoding.swift"], form: .text, limit: 8_192,
    words: PacketType.allCases.map { Array("\"\($0.rawValue)\"".utf8) },
    valid: { words(&$0) },
    decode: { input in
      do throws(BabPacketError) {
        let packet = try BabPacket(decoding: input)
        return .accepted(kind: kind(packet.type), canonical: packet.encoded())
      } catch {
        return .refused(reason: "\(error.reason)", offset: error.offset)
      }
    })

  private static func kind(_ type: PacketType) -> UInt64 {
    UInt64(PacketType.allCases.firstIndex(of: type) ?? 0)
  }

  private static let base64 = FuzzedDecoder(
    "base64", "base64 of packet lines", in: ["Sources/BabSim/Wire/Base64.swift"], form: .text, limit: 1_024,
    valid: { stream in
      Array(Base64.encode((0..<stream.below(64)).map { _ in UInt8(truncatingIfNeeded: stream.next()) }).utf8)
    },
    decode: { input in
      do throws(Base64.Refusal) {
        return .accepted(kind: 0, canonical: Array(Base64.encode(try Base64.decode(input)).utf8))
      } catch {
        return .refused(reason: "no base64", offset: nil)
      }
    })

  private static let packetLine = FuzzedDecoder(
    "packet-line", "lines of the packet filter", in: ["Sources/BabSim/Wire/PacketLines.swift"], form: .text,
    limit: 8_192,
    valid: { words(&$0) },
    decode: { input in
      let answer = PacketLines.decode(input, input: .text)
      return answer.hasPrefix("ACCEPT ")
        ? .accepted(kind: 0, canonical: Array(answer.dropFirst(7).utf8))
        : .refused(reason: String(answer.prefix { !$0.isNumber }), offset: nil)
    })

  /// Values one after another, each with an octet before it that counts it: fragments lost, doubled and out of order.
  private static func fragments(_ framing: Framing) -> FuzzedDecoder {
    FuzzedDecoder(
      "fragments-\(framing.rawValue)", "values of a link, \(framing.rawValue)",
      in: ["Sources/BabSim/Wire/Framing/Reassembler.swift", "Sources/BabSim/Wire/Framing/Framing.swift"], limit: 4_096,
      valid: { stream in
        var fragmenter = Fragmenter(framing: framing)
        let octets = (0..<stream.below(200)).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
        let values = (try? fragmenter.fragments(of: octets, attMTU: 23 + Int(stream.below(40)))) ?? []
        return values.flatMap { [UInt8(truncatingIfNeeded: $0.count)] + $0 }
      },
      decode: { input in
        var reassembler = Reassembler(framing: framing)
        var (rest, packets, drops) = (input[...], 0, 0)
        var now = SimInstant.zero
        while let count = rest.popFirst() {
          let reception = reassembler.receive(Array(rest.prefix(Int(count))), at: now)
          rest = rest.dropFirst(Int(count))
          now = now + .milliseconds(Int64(count))
          packets += reception.packet == nil ? 0 : 1
          drops += reception.drops.count
          if reassembler.heldOctets > Reassembler.octetLimit || reassembler.partialCount > Reassembler.partialLimit {
            return .broken("more is held than the limit")
          }
        }
        return .accepted(kind: UInt64(min(packets, 15)) << 4 | UInt64(min(drops, 15)), canonical: nil)
      })
  }
}
