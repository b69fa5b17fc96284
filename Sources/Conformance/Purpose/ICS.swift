/// What an implementation claims to do: its implementation conformance statement (ISO/IEC 9646-7).
///
/// A test purpose names the items it needs; one that needs more than is claimed is not applicable. What every
/// implementation of a role must do is no item and is always tested.
public struct ICS: Hashable, Sendable, Codable {
  /// Something that can be claimed; each protocol has its own.
  public struct Item: Hashable, Sendable, Codable {
    /// When an item counts as claimed.
    public enum Standing: Hashable, Sendable, Codable {
      /// When it is listed, or everything is.
      case feature
      /// Unless it is given up: what the platforms of most apps can do.
      case assumed
      /// Only when it is listed: what is different on some platforms. `all` does not mean it.
      case peculiarity
    }

    /// As descriptions and hellos write it.
    public var name: String
    /// What claiming it means, in one sentence.
    public var text: String
    public var standing: Standing

    public init(name: String, text: String, standing: Standing = .feature) {
      self.name = name
      self.text = text
      self.standing = standing
    }
  }

  /// None twice.
  public private(set) var items: [Item]
  /// Assumed items that are not claimed all the same.
  public private(set) var givenUp: [Item]

  public init(_ items: [Item], without givenUp: [Item] = []) {
    self.items = []
    self.givenUp = givenUp
    for item in items where !self.items.contains(item) && !givenUp.contains(item) { self.items.append(item) }
  }

  public func claims(_ item: Item) -> Bool { items.contains(item) }

  /// The first item that is needed and not claimed.
  public func missing(of needs: [Item]) -> Item? { needs.first { !claims($0) } }
}
