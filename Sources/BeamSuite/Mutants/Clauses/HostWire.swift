import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in how a host writes packets (BEAM 4, 9.1).
extension BeamMutants {
  static let hostWire: [Mutant] = [
    .wording("unsorted-keys", "4.1", failedBy: PacketsAreCanonical.id, "writes `type` first") { body, _ in
      body.leading(with: "type")
    },
    .wording("escapes-slash", "4.3", failedBy: PacketsAreCanonical.id, "writes `/` as `\\/`") { body, _ in
      BodyText(body.octets.flatMap { $0 == UInt8(ascii: "/") ? Array(#"\/"#.utf8) : [$0] })
    },
    .wording("exponent-numbers", "4.4", "writes numbers from 1 000 on with an exponent") { body, _ in
      let write: (Int, [UInt8]) -> [UInt8] = { _, number in number.count < 4 ? number : number + Array("e0".utf8) }
      return body.replacingNumbers(of: "sequence", write).replacingNumbers(of: "upToSequence", write)
    },
    .number("long-text-whole", .beamHost, "4.7", "sends a text of any length") { $0.textOctets = .max },
    .beam(
      "up-to-counts-partials", .beamHost, "4.8", "counts the partial that is being spoken in `upToSequence`",
      asking: { mutant, effect in
        switch effect.beam {
        case .partialShown: mutant.isMarked = true
        case .finalShown, .state: mutant.isMarked = false
        default: break
        }
        return [effect]
      },
      outgoing: { mutant, _, packet in
        guard mutant.isMarked, case .fullHistory(var history) = packet else { return [.packet(packet)] }
        history.upToSequence += 1
        return [.packet(.fullHistory(history))]
      }),
    .beam(
      "stamps-at-speech", .beamHost, "9.1", "writes the time at which the final was queued",
      asking: { mutant, effect in
        if case .finalShown(let sequence, _)? = effect.beam {
          mutant.times = Array(mutant.times.prefix(sequence - 1)) + [mutant.now]
        }
        return [effect]
      },
      outgoing: { mutant, _, packet in
        guard case .liveChunk(var chunk) = packet, chunk.isFinal, chunk.sentMilliseconds != nil,
          mutant.times.indices.contains(chunk.sequence - 1)
        else { return [.packet(packet)] }
        chunk.sentMilliseconds = mutant.configuration.wallMilliseconds(mutant.times[chunk.sequence - 1])
        return [.packet(.liveChunk(chunk))]
      }),
    .wording("long-fraction", "9.1", failedBy: PacketsAreCanonical.id, "writes six digits after the point") { body, _ in
      body.replacingNumbers(of: "sentTimestamp") { _, number in
        let parts = number.split(separator: UInt8(ascii: "."))
        let fraction = parts.count > 1 ? Array(parts[1]) : []
        let zeros = Array(repeating: UInt8(ascii: "0"), count: 6 - fraction.count)
        return [parts[0], [UInt8(ascii: ".")], fraction[...], zeros[...]].flatMap { $0 }
      }
    },
  ]
}
