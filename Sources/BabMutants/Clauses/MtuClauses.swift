import AppSeam
import BabSim
import Conformance

/// Defects of the ATT_MTU.
extension Mutants {
  static let mtu: [Mutant] =
    [assumesTheWish(.host), assumesTheWish(.client)] + [
      .seam(
        "att-mtu-of-the-newest", .host, clause: "BAB 3.4", "takes an ATT_MTU for that of all links",
        hearing: { mutant, input in
          switch input {
          case .connected(let link, _):
            mutant.links.append(link)
            return [input]
          case .attMTU(_, let attMTU): return mutant.links.map { .attMTU($0, attMTU) }
          default: return [input]
          }
        }),
      Mutant(
        "wishes-too-little", .client, clause: "BAB 2.7", "asks for an ATT_MTU of 100",
        adjust: { $0.dialect.wishedATTMTU = 100 }),
      .seam(
        "never-asks-for-an-att-mtu", .client, clause: "BAB 2.7", "does not ask for an ATT_MTU",
        asking: { _, effect in if case .exchangeMTU = effect { [] } else { [effect] } }),
      .seam(
        "exchanges-late", .client, clause: "BAB 5.1.4", "asks for an ATT_MTU after its first value",
        asking: { mutant, effect in
          switch effect {
          case .exchangeMTU:
            mutant.kept.append(effect)
            return []
          case .write, .writeWithoutResponse:
            defer { mutant.kept = [] }
            return [effect] + mutant.kept
          default: return [effect]
          }
        }),
    ]

  private static func assumesTheWish(_ role: AppRole) -> Mutant {
    .seam(
      role.rawValue + "-assumes-the-wish", role, clause: "BAB 3.4",
      "cuts for the ATT_MTU it wishes, whatever was agreed on",
      hearing: { mutant, input in
        switch input {
        case .connected(let link, _): [input, .attMTU(link, mutant.dialect.wishedATTMTU)]
        case .attMTU: []
        default: [input]
        }
      })
  }
}
