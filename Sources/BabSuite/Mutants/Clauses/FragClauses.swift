import AppSeam
import BabSim
import Conformance

/// Defects of framing. Each is planted in a host and in a client.
extension Mutants {
  static let frag: [Mutant] =
    fragSending(.host) + fragReceiving(.host) + fragSending(.client) + fragReceiving(.client) + fragHostOnly

  private static let fragHostOnly: [Mutant] = [
    .framing(
      "one-reassembler", .host, "BAB 3.9", "puts the fragments of all links together as those of one",
      .oneForAllLinks),
    .framing(
      "ids-of-all-links", .host, "BAB 3.7", "counts the packets of all links together", countsTogether: true),
    .framing(
      "characters-for-octets", .host, "BAB 3.3", "sends of a packet as many octets as its text has characters",
      cutting: { octets, number, attMTU in
        FramingMutant.wellCut(Array(octets.prefix(String(decoding: octets, as: UTF8.self).count)), number, attMTU)
      }),
  ]

  private static func name(_ role: AppRole, _ text: String) -> String { role.rawValue + "-" + text }

  // MARK: Sending

  private static func fragSending(_ role: AppRole) -> [Mutant] {
    func mutant(
      _ text: String, _ clause: String, _ summary: String, cutting: @escaping FramingMutant.Cutting
    ) -> Mutant {
      .framing(name(role, text), role, clause, summary, cutting: cutting)
    }
    func changed(
      _ text: String, _ clause: String, _ summary: String,
      _ change: @escaping @Sendable (_ value: [UInt8], _ index: Int, _ count: Int) -> [UInt8]
    ) -> Mutant {
      mutant(text, clause, summary) { octets, number, attMTU in
        let values = FramingMutant.wellCut(octets, number, attMTU)
        return values.indices.map { change(values[$0], $0, values.count) }
      }
    }
    return [
      changed("bare-single", "BAB 3.1", "sends a packet that fits one value without a header") { value, _, count in
        count == 1 ? Array(value[4...]) : value
      },
      changed("little-endian-id", "BAB 3.2", "writes the packetID little-endian") { value, _, _ in
        [value[1], value[0]] + value[2...]
      },
      changed("index-behind-count", "BAB 3.2", "writes the count in front of the index") { value, _, _ in
        [value[0], value[1], value[3], value[2]] + value[4...]
      },
      changed("index-from-one", "BAB 3.3", "counts the fragments of a packet from 1") { value, _, _ in
        [value[0], value[1], value[2] + 1, value[3]] + value[4...]
      },
      changed("line-break-behind", "BAB 3.3", "ends every packet with a line break") { value, index, count in
        index == count - 1 ? value + [0x0A] : value
      },
      mutant("fills-the-att-mtu", "BAB 3.4", "cuts values as long as the ATT_MTU") { octets, number, attMTU in
        FramingMutant.wellCut(octets, number, attMTU + 3)
      },
      mutant("values-of-514", "BAB 3.4", "cuts values longer than an attribute can be when the ATT_MTU has the room") {
        octets, number, attMTU in
        let body = attMTU - 7
        let starts = Array(stride(from: 0, to: octets.count, by: body))
        guard starts.count <= 255 else { return [] }
        return starts.enumerated().map { index, start in
          [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF), UInt8(index), UInt8(starts.count)]
            + octets[start..<min(start + body, octets.count)]
        }
      },
      mutant("first-255", "BAB 3.5", "sends the first 255 fragments of a packet that needs more") {
        octets, number, attMTU in
        FramingMutant.wellCut(Array(octets.prefix(255 * (attMTU - 7))), number, attMTU)
      },
      changed("count-of-the-rest", "BAB 3.6", "says in each fragment how many are still to come") {
        value, index, count in
        [value[0], value[1], value[2], UInt8(count - index)] + value[4...]
      },
      changed("id-per-fragment", "BAB 3.6", "gives each fragment a packetID of its own") { value, index, _ in
        [UInt8(index), value[1], value[2], value[3]] + value[4...]
      },
      mutant("at-most-127", "BAB 3.5", "does not send a packet of more than 127 fragments") { octets, number, attMTU in
        let values = FramingMutant.wellCut(octets, number, attMTU)
        return values.count > 127 ? [] : values
      },
      mutant("even-ids", "BAB 3.7", "leaves every other packetID out") { octets, number, attMTU in
        FramingMutant.wellCut(octets, 2 * number, attMTU)
      },
      mutant("same-id", "BAB 3.7", "gives every packet the packetID 7") { octets, _, attMTU in
        FramingMutant.wellCut(octets, 7, attMTU)
      },
      .framing(
        name(role, "refused-is-sent"), role, "BAB 3.8", "takes a value that the platform refused for sent",
        adjust: { if role == .client { $0.dialect.clientWrites = .withoutResponse } }, ignoresRefusals: true),
    ]
  }

  // MARK: Receiving

  private static func fragReceiving(_ role: AppRole) -> [Mutant] {
    let faults: [(String, String, String, LooseReassembler.Fault)] = [
      ("in-order-only", "BAB 3.9", "drops a packet whose fragments come out of order", .inOrderOnly),
      ("four-fragments", "BAB 3.9", "refuses more than four fragments", .fourFragments),
      ("one-at-a-time", "BAB 3.9", "drops a packet when another one begins", .onePacketAtATime),
      ("ids-only-grow", "BAB 3.7", "takes a packet with a smaller packetID for an old one", .idsOnlyGrow),
      ("signed-count", "BAB 3.5", "refuses more than 127 fragments", .signedCount),
      ("short-drops-all", "BAB 3.10", "drops what is partial when a value is too short", .shortDropsAll),
      ("short-is-silent", "BAB 3.10", "says nothing of a value that is too short", .shortIsSilent),
      ("count-zero-keeps", "BAB 3.11", "goes on with a packet of which a fragment said count 0", .countZeroKeeps),
      ("index-beyond-keeps", "BAB 3.11", "goes on with a packet after an index beyond its count", .indexBeyondKeeps),
      ("impossible-is-silent", "BAB 3.11", "says nothing of impossible headers", .impossibleIsSilent),
      ("count-change-keeps", "BAB 3.12", "goes on with a packet whose count changed", .countChangeKeeps),
      ("conflict-replaces", "BAB 3.12", "takes the newer octets of a fragment", .conflictReplaces),
      ("conflict-keeps", "BAB 3.12", "keeps the older octets of a fragment", .conflictKeeps),
      ("contradiction-is-silent", "BAB 3.12", "says nothing of changed counts and octets", .contradictionIsSilent),
      ("repeat-drops", "BAB 3.13", "drops a packet of which a fragment is repeated", .repeatDrops),
      ("repeat-counts", "BAB 3.13", "counts a repeated fragment twice", .repeatCounts),
      ("repeat-is-progress", "BAB 3.13", "waits on when a fragment is repeated", .repeatIsProgress),
      ("never-expires", "BAB 3.14", "waits forever for missing fragments", .neverExpires),
      ("expires-early", "BAB 3.14", "waits for missing fragments for 2 s", .expiresEarly),
      ("progress-is-forgotten", "BAB 3.14", "gives a packet 5 s in all", .progressIsForgotten),
      ("expires-with-next-value", "BAB 3.14", "drops an expired packet with the next value", .expiresWithNextValue),
      ("expiry-is-silent", "BAB 3.14", "says nothing of an expired packet", .expiryIsSilent),
      ("sixty-four-partials", "BAB 3.15", "holds 64 partial packets", .sixtyFourPartials),
      ("eight-partials", "BAB 3.15", "holds 8 partial packets", .eightPartials),
      ("newest-partial-goes", "BAB 3.15", "drops the newest of too many partial packets", .newestPartialGoes),
      ("no-octet-limit", "BAB 3.15", "holds any number of octets", .noOctetLimit),
      ("small-octet-limit", "BAB 3.15", "holds 64 KiB", .smallOctetLimit),
      ("growing-partial-goes", "BAB 3.15", "drops the packet that grows beyond the limit", .growingPartialGoes),
      ("limit-is-silent", "BAB 3.15", "says nothing of what it drops for a limit", .limitIsSilent),
      ("outlives-links", "BAB 3.16", "goes on with a partial packet on the next link", .outlivesLinks),
      ("bars-dropped-ids", "BAB 3.18", "takes no packet with the packetID of a dropped one", .droppedIsForgottenNever),
      ("gives-up", "BAB 3.19", "takes nothing after a hundred wrong values", .givesUp),
    ]
    return faults.map { .framing(name(role, $0.0), role, $0.1, $0.2, $0.3) }
  }
}
