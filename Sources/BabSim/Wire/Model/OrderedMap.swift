/// A map from text to values that keeps its order of insertion, because the order reaches the wire and the digest.
///
/// Keys are compared octet by octet (UTF-8), never by canonical equivalence. Writing to a key that exists keeps its
/// place. Look-up is a linear search: a lobby has at most eight peers.
public struct OrderedMap<Value: Hashable & Sendable>: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var key: String
    public var value: Value
    public init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// In order of insertion; no key occurs twice.
  public private(set) var entries: [Entry]

  public init() { entries = [] }

  /// The pairs in order; a key that occurs again overwrites the value at the key's first place.
  public init(_ pairs: [(String, Value)]) {
    entries = []
    entries.reserveCapacity(pairs.count)
    for (key, value) in pairs { self[key] = value }
  }

  public var count: Int { entries.count }
  public var isEmpty: Bool { entries.isEmpty }
  public var keys: [String] { entries.map(\.key) }
  public var values: [Value] { entries.map(\.value) }

  /// The value of a key; writing nil removes the key.
  public subscript(key: String) -> Value? {
    get { self[key, near: 0] }
    set { self[key, near: 0] = newValue }
  }

  /// The same. Look-up is quick when the key is at a place: maps of one lobby mostly have one order.
  public subscript(key: String, near place: Int) -> Value? {
    get {
      guard let index = index(of: key, near: place) else { return nil }
      return entries[index].value
    }
    set {
      let index = index(of: key, near: place)
      if let newValue {
        if let index { entries[index].value = newValue } else { entries.append(Entry(key: key, value: newValue)) }
      } else if let index {
        entries.remove(at: index)
      }
    }
  }

  public mutating func removeAll() { entries.removeAll() }

  private func index(of key: String, near place: Int) -> Int? {
    if place < entries.count, Self.isSame(entries[place].key, key) { return place }
    return entries.firstIndex { Self.isSame($0.key, key) }
  }

  /// Text equality is the quick refusal; it also holds for canonically equivalent texts, which are other keys here.
  private static func isSame(_ key: String, _ other: String) -> Bool {
    key == other && key.utf8.elementsEqual(other.utf8)
  }
}

extension OrderedMap: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
