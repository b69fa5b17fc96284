/// Which test purposes are meant: `APP/HOST/**`, `APP/*/FRAG/**`, `APP/HOST/LOBBY/BV-01-C`.
///
/// `**` stands for anything, `*` for anything but `/`, `?` for one character that is not `/`. A pattern without a wild
/// card also means everything below it: `APP/HOST/LOBBY` is `APP/HOST/LOBBY/**`.
public struct CaseSelection: Hashable, Sendable, Codable {
  public var select: [String]
  public var skip: [String]

  /// - Parameter select: none means all.
  public init(select: [String] = [], skip: [String] = []) {
    self.select = select
    self.skip = skip
  }

  public func contains(_ id: String) -> Bool {
    (select.isEmpty || select.contains { Self.matches(id, $0) }) && !skip.contains { Self.matches(id, $0) }
  }

  /// The patterns of `select` and `skip` that match none of these ids: most likely slips of the finger.
  public func idle(among ids: [String]) -> [String] {
    (select + skip).filter { pattern in !ids.contains { Self.matches($0, pattern) } }
  }

  static func matches(_ id: String, _ pattern: String) -> Bool {
    let isPlain = !pattern.contains("*") && !pattern.contains("?")
    if isPlain { return id == pattern || id.hasPrefix(pattern.hasSuffix("/") ? pattern : pattern + "/") }
    return matches(Array(id.utf8)[...], Array(pattern.utf8)[...])
  }

  private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    let slash = UInt8(ascii: "/")
    if first == UInt8(ascii: "*") {
      let isDeep = rest.first == first
      let behind = isDeep ? rest.dropFirst() : rest
      var tail = text
      while true {
        if matches(tail, behind) { return true }
        guard let next = tail.first, isDeep || next != slash else { return false }
        tail = tail.dropFirst()
      }
    }
    guard let next = text.first, next == first || first == UInt8(ascii: "?") && next != slash else { return false }
    return matches(text.dropFirst(), rest)
  }
}
