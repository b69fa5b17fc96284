/// What an implementation claims to do: its implementation conformance statement (ISO/IEC 9646-7).
///
/// A test purpose names the items it needs; one that needs more than is claimed is not applicable. What every host and
/// every client must do (advertise, join, frame, ignore what is forbidden) is no item and is always tested.
public struct ICS: Hashable, Sendable {
  public enum Item: String, Hashable, Sendable, CaseIterable {
    case roles
    case turns
    case generate
    case votes
    case scoring
    case summary
    case achievements
    case reconnect
    case screen
    case refusals
    case solo
    case heartbeat
    case lenient
  }

  /// In the order of `Item.allCases`, none twice.
  public private(set) var items: [Item]

  public init(_ items: [Item]) { self.items = Item.allCases.filter(items.contains) }

  public static let everything = ICS(Item.allCases)

  public func claims(_ item: Item) -> Bool { items.contains(item) }

  /// The first item that is needed and not claimed.
  public func missing(of needs: [Item]) -> Item? { needs.first { !claims($0) } }
}

extension ICS.Item {
  /// What claiming it means, in one sentence.
  public var text: String {
    switch self {
    case .roles:
      "Roles, readiness and the start with roles (BAB 5.3)."
    case .turns:
      "A game with turns and lines (BAB 5.4)."
    case .generate:
      "Another line on request (BAB 5.4.9)."
    case .votes:
      "Votes (BAB 5.5)."
    case .scoring:
      "Points and ranking (BAB 6)."
    case .summary:
      "The session summary at the end (BAB 5.8.2, 9.1)."
    case .achievements:
      "Achievements in the summary (BAB 9.3 to 9.10)."
    case .reconnect:
      "A lost player comes back and goes on (BAB 5.7)."
    case .screen:
      "Says what its screen shows: phase, link state, lobby, roster, roles, turn, line, history (reports of the app seam)."
    case .refusals:
      "Says what it refuses: refused and violation (BAB 7)."
    case .solo:
      "Solo mode (BAB 5.10)."
    case .heartbeat:
      "Sends HEARTBEAT as configured (BAB 8.8)."
    case .lenient:
      "Reads what the published decoder reads beyond plain JSON (BAB 4.30)."
    }
  }
}
