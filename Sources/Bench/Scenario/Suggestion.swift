/// Finds what somebody probably meant.
package enum Suggestion {
  /// The candidate nearest to `text`, when it is near enough to be worth a question; the first of equals. When none is,
  /// the only one that begins with `text`.
  /// - Parameter few: that many slips are always near enough; longer texts may have more, a third of their letters.
  package static func nearest(to text: String, in candidates: [String], within few: Int = 1) -> String? {
    let typed = Array(text.lowercased().unicodeScalars.prefix(64))
    guard !typed.isEmpty else { return nil }
    var best: (distance: Int, candidate: String)? = nil
    for candidate in candidates {
      let distance = distance(typed, Array(candidate.lowercased().unicodeScalars))
      let tolerance = max(few, min(typed.count, candidate.unicodeScalars.count) / 3)
      if distance <= tolerance, distance < best?.distance ?? Int.max { best = (distance, candidate) }
    }
    return best?.candidate ?? continued(text.lowercased(), in: candidates)
  }

  /// So much of a name tells which one it is.
  private static let beginning = 3

  /// The only candidate that begins with `text`; nil when there are none or several.
  private static func continued(_ text: String, in candidates: [String]) -> String? {
    guard text.unicodeScalars.count >= beginning else { return nil }
    let begun = candidates.filter { $0.lowercased().hasPrefix(text) }
    return begun.count == 1 ? begun[0] : nil
  }

  /// `did you mean “x”?`; nil when there is none near.
  package static func question(for text: String, in candidates: [String], within few: Int = 1) -> String? {
    nearest(to: text, in: candidates, within: few).map { "did you mean “\($0)”?" }
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b` (Damerau–Levenshtein,
  /// no part edited twice).
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var older = [Int](repeating: 0, count: b.count + 1)
    var old = Array(0...b.count)
    for i in 1...a.count {
      var row = [Int](repeating: i, count: b.count + 1)
      for j in 1...b.count {
        let replaced = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(replaced, old[j] + 1, row[j - 1] + 1)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], older[j - 2] + 1) }
      }
      older = old
      old = row
    }
    return old[b.count]
  }

  /// A choice of more than this nobody reads in a message.
  private static let longList = 40

  /// `did you mean “x”?` when there is one near, else the whole choice.
  package static func advice(for text: String, in candidates: [String], within few: Int = 1) -> String {
    if let question = question(for: text, in: candidates, within: few) { return question }
    if candidates.count > longList {
      return "write \(candidates.prefix(3).joined(separator: ", ")) or one of \(candidates.count - 3) others, "
        + "which babbench list shows"
    }
    return "write " + alternatives(candidates)
  }

  /// `a, b or c`.
  package static func alternatives(_ words: [String]) -> String {
    guard let last = words.last else { return "nothing" }
    return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " or " + last
  }
}
