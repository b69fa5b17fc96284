package import AppSeam
package import BeamScribe
package import Conformance

extension Mutant {
  /// Never sends packets of some kinds.
  package static func withholding(_ kinds: [BeamPacket.Kind], _ role: AppRole) -> Mutant {
    .beam(
      "withholding", role, "4.1", "leaves packets out",
      outgoing: { _, _, packet in kinds.contains(packet.kind) ? [] : [.packet(packet)] })
  }
}
