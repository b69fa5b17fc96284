/// What an implementation claims to do: its implementation conformance statement (ISO/IEC 9646-7).
///
/// A test purpose names the items it needs; one that needs more than is claimed is not applicable. What every
/// implementation of a role must do is no item and is always tested.
public struct ICS: Hashable, Sendable {
  /// Something that can be claimed; each protocol has its own.
  public struct Item: Hashable, Sendable {
    /// As descriptions and hellos write it.
    public var name: String
    /// What claiming it means, in one sentence.
    public var text: String

    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// None twice.
  public private(set) var items: [Item]

  public init(_ items: [Item]) {
    self.items = []
    for item in items where !self.items.contains(item) { self.items.append(item) }
  }

  public func claims(_ item: Item) -> Bool { items.contains(item) }

  /// The first item that is needed and not claimed.
  public func missing(of needs: [Item]) -> Item? { needs.first { !claims($0) } }
}
