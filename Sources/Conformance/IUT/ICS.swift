/// What an implementation claims to do: its implementation conformance statement (ISO/IEC 9646-7).
///
/// A test purpose names the items it needs; one that needs more than is claimed is not applicable. What every host and
/// every client must do (advertise, join, frame, ignore what is forbidden) is no item and is always tested.
public struct ICS: Hashable, Sendable {
  public enum Item: String, Hashable, Sendable, CaseIterable {
    /// Roles, readiness and the start with roles (BAB 5.3).
    case roles
    /// A game with turns and lines after the start with roles (BAB 5.4). Needs `roles`.
    case turns
    /// Another line on request (BAB 5.4.9).
    case generate
    /// Votes (BAB 5.5).
    case votes
    /// Points and ranking (BAB 6).
    case scoring
    /// The session summary at the end (BAB 5.8.2, 9.1).
    case summary
    /// Achievements in the summary (BAB 9.3 to 9.10).
    case achievements
    /// A lost player comes back and goes on (BAB 5.7).
    case reconnect
    /// Says what its screen shows: phase, link state, lobby, roster, roles, turn, line, history (reports of the app seam).
    case screen
    /// Says what it refuses: `refused` and `violation` (BAB 7).
    case refusals
    /// Solo mode (BAB 5.10).
    case solo
    /// Reads what the published decoder reads beyond plain JSON (BAB 4.30).
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
