import AppSeam

/// What a service says of itself: keys with values (RFC 6763, 6).
///
/// Source: Apple, `NWTXTRecord`. Keys are found whatever their case; the order in which they were put in stays.
public struct NWTXTRecord: Hashable, Sendable {
  /// The value of a key.
  public enum Entry: Hashable, Sendable {
    /// The key alone, without an equals sign.
    case none
    /// The key and an equals sign.
    case empty
    /// A text.
    case string(String)
    /// Octets that are no text.
    case data(Data)

    /// The octets after the equals sign; nil: there is no such sign.
    public var data: Data? {
      switch self {
      case .none: nil
      case .empty: Data()
      case .string(let text): Data(text.utf8)
      case .data(let data): data
      }
    }

    /// The value of these octets; nil: the key alone.
    public init(_ octets: Data?) {
      guard let octets else {
        self = .none
        return
      }
      if octets.isEmpty {
        self = .empty
      } else if let text = String(data: octets, encoding: .utf8) {
        self = .string(text)
      } else {
        self = .data(octets)
      }
    }
  }

  private var entries: [(key: String, value: Entry)] = []

  /// A record without keys.
  public init() {}

  /// A record with texts, by ascending keys.
  public init(_ dictionary: [String: String]) {
    for (key, text) in dictionary.sorted(by: { $0.key < $1.key }) { setEntry(.string(text), for: key) }
  }

  /// A record from its octets, each entry after its length; what is after a broken length is ignored.
  public init(_ data: Data) {
    for part in ServiceRecord.strings(of: data).map({ Data($0) }) {
      let halves = part.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = halves.first, !name.isEmpty, let key = String(data: Data(name), encoding: .ascii) else {
        continue
      }
      // The first of two counts (RFC 6763, 6.4).
      if getEntry(for: key) == nil { setEntry(halves.count == 2 ? Entry(Data(halves[1])) : .none, for: key) }
    }
  }

  /// The octets of the record, each entry after its length.
  public var data: Data {
    Data(ServiceRecord.octets(of: entries.map { Array($0.key.utf8) + ($0.value.data.map { [0x3D] + $0 } ?? []) }))
  }

  /// The keys with texts.
  public var dictionary: [String: String] {
    var texts: [String: String] = [:]
    for (key, value) in entries {
      switch value {
      case .string(let text): texts[key] = text
      case .empty: texts[key] = ""
      case .none, .data: break
      }
    }
    return texts
  }

  /// The text of a key; nil takes the key out.
  public subscript(key: String) -> String? {
    get {
      switch getEntry(for: key) {
      case .string(let text): text
      case .empty: ""
      case .none?, .data, nil: nil
      }
    }
    set {
      if let newValue { setEntry(.string(newValue), for: key) } else { removeEntry(key: key) }
    }
  }

  /// The value of a key; nil: there is no such key.
  public func getEntry(for key: String) -> Entry? { place(of: key).map { entries[$0].value } }

  /// Sets the value of a key.
  /// - Returns: false when the key cannot be: it is empty, or has an equals sign or octets beyond printable ASCII.
  @discardableResult
  public mutating func setEntry(_ value: Entry, for key: String) -> Bool {
    guard !key.isEmpty, key.utf8.allSatisfy({ (0x20...0x7E).contains($0) && $0 != 0x3D }) else { return false }
    if let place = place(of: key) { entries[place].value = value } else { entries.append((key, value)) }
    return true
  }

  /// Takes a key out.
  /// - Returns: whether it was there.
  @discardableResult
  public mutating func removeEntry(key: String) -> Bool {
    guard let place = place(of: key) else { return false }
    entries.remove(at: place)
    return true
  }

  private func place(of key: String) -> Int? {
    entries.firstIndex { $0.key.lowercased() == key.lowercased() }
  }

  /// Whether both have the same keys and values in the same order.
  public static func == (a: Self, b: Self) -> Bool { a.data == b.data }
  /// Mixes the octets.
  public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

extension NWTXTRecord: Sequence {
  /// Keys with their values, in order.
  public func makeIterator() -> IndexingIterator<[(key: String, value: Entry)]> { entries.makeIterator() }
}

extension NWTXTRecord: CustomDebugStringConvertible {
  /// `{v=1, busy}`.
  public var debugDescription: String {
    "{" + entries.map { $0.value.data == nil ? $0.key : "\($0.key)=\(self[$0.key] ?? "…")" }.joined(separator: ", ")
      + "}"
  }
}
