import AppSeam
import BabSim
import Conformance

/// Defects of the ATT_MTU.
extension Mutants {
  static let mtu: [Mutant] =
    [assumesTheWish(.host), assumesTheWish(.client)] + [
      .told("att-mtu-of-the-newest", .host, "BAB 3.4", "takes an ATT_MTU for that of all links") { m, input in
        switch input {
        case .connected(let link, _):
          m.links.append(link)
          return [input]
        case .attMTU(_, let attMTU): return m.links.map { .attMTU($0, attMTU) }
        default: return [input]
        }
      },
      .set("wishes-too-little", .client, "BAB 2.7", "asks for an ATT_MTU of 100") { $0.dialect.wishedATTMTU = 100 },
      .keeps("never-asks-for-an-att-mtu", .client, "BAB 2.7", "does not ask for an ATT_MTU") {
        if case .exchangeMTU = $0 { true } else { false }
      },
      .asks("exchanges-late", .client, "BAB 5.1.4", "asks for an ATT_MTU after its first value") { m, effect in
        switch effect {
        case .exchangeMTU:
          m.kept.append(effect)
          return []
        case .write, .writeWithoutResponse:
          defer { m.kept = [] }
          return [effect] + m.kept
        default: return [effect]
        }
      },
    ]

  private static func assumesTheWish(_ role: AppRole) -> Mutant {
    .told(
      role.rawValue + "-assumes-the-wish", role, "BAB 3.4", "cuts for the ATT_MTU it wishes, whatever was agreed on"
    ) { m, input in
      switch input {
      case .connected(let link, _): [input, .attMTU(link, m.dialect.wishedATTMTU)]
      case .attMTU: []
      default: [input]
      }
    }
  }
}
