import Fuzzing
import SimKernel

/// What decodes octets by a protocol file, as the fuzzer sees it: its packets, and its values where they carry packets
/// by a framing.
extension FuzzedDecoder {
  private static let files = [
    "Sources/ProtocolFiles/Packets/BinaryPacket.swift", "Sources/ProtocolFiles/Packets/JSONPacket.swift",
  ]

  static func file(_ form: ProtocolForm) -> [FuzzedDecoder] {
    let isFramed = form.services.flatMap(\.characteristics).contains { $0.framing != .none }
    return [packets(of: form)] + (isFramed ? [values(of: form)] : [])
  }

  private static func packets(of form: ProtocolForm) -> FuzzedDecoder {
    let codec = PacketCodec(form: form)
    let isText = form.packets.contains { if case .json = $0.body { true } else { false } }
    return FuzzedDecoder(
      form.name + "-packet", "packets of \(form.title)", in: files, form: isText ? .text : .octets, limit: 2_048,
      words: words(of: form),
      valid: { stream in
        var draws = PacketDraws(stream)
        _ = stream.next()
        guard !form.packets.isEmpty else { return [] }
        return draws.octets(of: form.packets[draws.below(form.packets.count)]) ?? []
      },
      decode: { input in
        do throws(PacketRefusal) {
          let packet = try codec.decode(input)
          let kind = form.packets.firstIndex { $0.name == packet.name } ?? 0
          // What a member that the file does not name was is gone.
          return .accepted(kind: UInt64(kind), canonical: try form.packets[kind].encode(packet.fields))
        } catch {
          return .refused(reason: reason(error), offset: error.offset)
        }
      })
  }

  /// Reasons that differ in the numbers of their inputs are one reason.
  private static func reason(_ refusal: PacketRefusal) -> String {
    String(refusal.reason.map { $0.isNumber ? "0" : $0 })
  }

  /// The first octet says of which characteristic, the second one how long the pieces are.
  private static func values(of form: ProtocolForm) -> FuzzedDecoder {
    let framed = form.services.flatMap(\.characteristics).filter { $0.framing != .none }
    let held = (FileAssembler.packetLimit + 1) * FileAssembler.waitingLimit
    return FuzzedDecoder(
      form.name + "-values", "values that carry packets of \(form.title)",
      in: ["Sources/ProtocolFiles/Packets/FileFraming.swift"], limit: 4_096,
      valid: { stream in
        var draws = PacketDraws(stream)
        _ = stream.next()
        let place = draws.below(framed.count)
        let own = form.packets.filter { $0.characteristic == framed[place].uuid }
        var cutter = FileCutter(framed[place].framing)
        let size = 20 + draws.below(200)
        var octets = [UInt8(place), UInt8(size)]
        for _ in 0...draws.below(4) {
          let packet = own.isEmpty ? [] : draws.octets(of: own[draws.below(own.count)]) ?? []
          let values = (try? cutter.values(of: packet, attMTU: size + 3)) ?? []
          octets += values.joined()
        }
        return octets
      },
      decode: { input in
        guard input.count > 2 else { return .refused(reason: "nothing", offset: 0) }
        var assembler = FileAssembler(framed[Int(input[0]) % framed.count].framing)
        let size = max(1, Int(input[1]))
        var rest = input.dropFirst(2)
        var (packets, drops): (UInt64, UInt64) = (0, 0)
        while !rest.isEmpty {
          let piece = Array(rest.prefix(size))
          rest = rest.dropFirst(piece.count)
          for outcome in assembler.receive(piece) {
            switch outcome {
            case .packet(let octets, _):
              packets += 1
              if octets.count > input.count { return .broken("a packet is longer than what was received") }
            case .dropped: drops += 1
            }
          }
          if assembler.waitingOctets > held { return .broken("more is held than the limit") }
        }
        return .accepted(
          kind: min(packets, 15) << 5 | min(drops, 15) << 1 | (assembler.isMidPacket ? 1 : 0), canonical: nil)
      })
  }

  /// Constants and names of members, which chance does not find.
  private static func words(of form: ProtocolForm) -> [[UInt8]] {
    var words: [[UInt8]] = []
    for packet in form.packets {
      for field in packet.fields {
        if case .json = packet.body { words.append(Array("\"\(field.name)\"".utf8)) }
        switch field.constant {
        case .text(let text): words.append(Array(text.utf8))
        case .octets(let octets): words.append(octets)
        default: break
        }
      }
    }
    return words
  }
}
