import AppSeam
import BeamOracles
import BeamScribe
import Conformance
import SimKernel

/// Defects in what a guest takes for a packet (BEAM 4).
extension BeamMutants {
  static let guestWire: [Mutant] = [
    .beam(
      "strict-order", .beamGuest, "4.5", "reads canonical packets only",
      reading: { _, _, body in
        guard let packet = try? BeamPacket(decoding: body), packet.encoded() != body else { return [body] }
        return [Array("[]".utf8)]
      }),
    .lenient("key-twice-taken", "4.6", "takes the last of two equal keys", of: .keyTwice) { body in
      body.withoutRepeatedKeys()
    },
    .lenient("missing-is-final", "4.6", "takes a chunk without `isFinal` for a final", of: .memberMissing) { body in
      body.keys.contains("isFinal") ? body : body.adding(#""isFinal":true"#)
    },
    .beam(
      "unknown-type-skipped", .beamGuest, "4.2", "skips packets of unknown types",
      reading: { _, _, body in BeamPacket.refusal(of: body) == .unknownType ? [] : [body] }),
    .lenient("history-unchecked", "4.8", "does not look at the numbers within a history", of: .notConsecutive) { body in
      var newest = 0
      let counted = body.replacingNumbers(of: "sequence") { place, number in
        if place == 0 { newest = Int(String(decoding: number, as: UTF8.self)) ?? 1 } else { newest += 1 }
        return Array(String(newest).utf8)
      }
      return counted.replacingNumbers(of: "upToSequence") { _, _ in Array(String(newest).utf8) }
    },
    .beam(
      "crashes-on-deep-nesting", .beamGuest, "7.5", "stops at a nesting of more than 100",
      reading: { mutant, _, body in
        if BodyText(body).nesting > 100 { mutant.fail(.exited, "the stack ends at a nesting of more than 100") }
        return [body]
      }),
  ]
}

extension BeamPacket {
  /// Why a body is no packet; nil for one that is.
  static func refusal(of body: [UInt8]) -> PacketRefusal.Reason? {
    do throws(PacketRefusal) {
      _ = try BeamPacket(decoding: body)
      return nil
    } catch {
      return error.reason
    }
  }
}

extension Mutant {
  /// A guest that makes a packet of bodies that are refused for one reason.
  fileprivate static func lenient(
    _ name: String, _ clause: String, _ summary: String, of reason: PacketRefusal.Reason,
    _ repair: @escaping @Sendable (BodyText) -> BodyText
  ) -> Mutant {
    beam(
      name, .beamGuest, clause, summary,
      reading: { _, _, body in [BeamPacket.refusal(of: body) == reason ? repair(BodyText(body)).octets : body] })
  }
}
