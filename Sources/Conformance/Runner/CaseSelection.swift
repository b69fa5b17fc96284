import Bench

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

  /// Patterns as command lines write them: one, or several with commas between them.
  public static func patterns(_ arguments: [String]) -> [String] {
    arguments.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
  }

  /// What a pattern that matches nothing was probably meant to be.
  public static func nearest(to pattern: String, among ids: [String]) -> String? {
    var stem = pattern[...]
    while let last = stem.last, last == "*" || last == "/" { stem = stem.dropLast() }
    let tail = pattern[stem.endIndex...]
    var candidates: [String] = []
    var known: Set<String> = []
    for id in ids {
      let parts = id.split(separator: "/")
      for count in 1...max(1, parts.count) {
        let candidate = parts.prefix(count).joined(separator: "/")
        if known.insert(candidate).inserted { candidates.append(candidate) }
      }
    }
    return Suggestion.nearest(to: String(stem), in: candidates, within: 2).map { $0 + tail }
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
