package import AppSeam
package import BabSim
package import Conformance

extension Mutant {
  /// Never sends packets of some types.
  package static func withholding(_ types: [PacketType], _ role: AppRole) -> Mutant {
    .unsaid("withholding", role, "BAB 4.2", "leaves packets out") { _, packet in types.contains(packet.type) }
  }

  /// Speaks a way that has no packets of some types: seats are taken without a word, and a game starts by
  /// GAME_STARTED.
  package static func speaking(without types: [PacketType], _ role: AppRole) -> Mutant {
    let start = Mutant.misspeaks("starts-plainly", role, "BAB 4.2", "starts by GAME_STARTED") {
      if $0.type == .startGame { $0.payload = .gameStarted }
    }
    let seat = role == .host ? Mutants.seatsWhoGreets : Mutants.knowsSnapshots
    return Mutant("speaking", "leaves packets out", stacking: [seat, start, withholding(types, role)])
  }
}
