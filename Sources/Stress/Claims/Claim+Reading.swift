extension Claim {
  /// Why a text is no claim.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  private static let example = "for example 'p99 delivery < 300ms in 99% of worlds', or 'pass in 99% of worlds'"

  /// - Parameter measures: those that may be named.
  /// - Throws: `Refusal`.
  package init(_ text: String, among measures: [RunMeasure]) throws(Refusal) {
    self.text = text
    var words = Self.words(text)
    share = try Self.share(&words, of: text)
    if words == ["pass"] {
      subject = .pass
      return
    }
    if words.starts(with: ["time", "to"]) { words.removeFirst(2) }
    var statistic: Statistic?
    if let word = words.first, let named = Self.statistic(word) {
      statistic = named
      words.removeFirst()
    }
    if words.starts(with: ["time", "to"]) { words.removeFirst(2) }
    guard let place = words.firstIndex(where: { Comparison(rawValue: $0) != nil }), place > 0,
      let comparison = Comparison(rawValue: words[place])
    else { throw Refusal(description: "\"\(text)\": there is no comparison; \(Self.example)") }
    let name = words[..<place].joined(separator: "-")
    guard let index = measures.firstIndex(where: { $0.name == name }) else {
      throw Refusal(
        description: "\"\(text)\": no measure is called \(name); there are "
          + measures.map(\.name).joined(separator: ", "))
    }
    let measure = measures[index]
    guard let bound = Self.bound(words[(place + 1)...].joined(), measure.unit) else {
      throw Refusal(description: "\"\(text)\": the limit of \(name) is written like \(Self.spelling(measure.unit))")
    }
    // Without a word for it every sample counts.
    let every: Statistic = comparison.isUpperLimit ? .greatest : .least
    subject = .measure(measure, place: index, statistic ?? every, comparison, bound: bound)
  }

  /// Comparisons are words of their own, blanks or not.
  private static func words(_ text: String) -> [String] {
    var spaced = ""
    var last: Character = " "
    for letter in text {
      let isSign = "<>=".contains(letter)
      if isSign != "<>=".contains(last), last != " " { spaced.append(" ") }
      spaced.append(letter)
      last = letter
    }
    return spaced.split(separator: " ").map(String.init)
  }

  private static func statistic(_ word: String) -> Statistic? {
    switch word {
    case "p50": .median
    case "max", "worst": .greatest
    case "min": .least
    default: Statistic(rawValue: word)
    }
  }

  /// Takes `in P% of worlds` from the end.
  private static func share(_ words: inout [String], of text: String) throws(Refusal) -> Int? {
    guard let place = words.lastIndex(of: "in") else { return nil }
    let tail = Array(words[place...])
    guard tail.count == 4, tail[1].last == "%", tail[2] == "of", ["worlds", "seeds"].contains(tail[3]),
      let share = number(tail[1].dropLast(), decimals: 4), share > 0, share < 1_000_000
    else {
      throw Refusal(
        description:
          "\"\(text)\": after “in” comes a share below 100%, as in “in 99% of worlds”; without it every world"
          + " that is played must do")
    }
    words.removeSubrange(place...)
    return Int(share)
  }

  /// In units of the last decimal.
  private static func number(_ text: Substring, decimals: Int) -> Int64? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts[0].count <= 12,
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) })
    else { return nil }
    let fraction = parts.count == 2 ? parts[1] : ""
    guard fraction.count <= decimals else { return nil }
    return Int64(parts[0] + fraction + String(repeating: "0", count: decimals - fraction.count))
  }

  private static let scales: [RunMeasure.Unit: [(unit: String, decimals: Int, factor: Int64)]] = [
    .time: [("ns", 0, 1), ("µs", 3, 1), ("us", 3, 1), ("ms", 6, 1), ("min", 9, 60), ("s", 9, 1), ("h", 9, 3_600)],
    .rate: [("kbit/s", 3, 1), ("Mbit/s", 6, 1), ("bit/s", 0, 1)],
    .share: [("%", 4, 1)],
    .count: [("", 0, 1)],
  ]

  private static func bound(_ text: String, _ unit: RunMeasure.Unit) -> Int64? {
    for scale in scales[unit] ?? [] where text.hasSuffix(scale.unit) {
      guard let value = number(text.dropLast(scale.unit.count), decimals: scale.decimals) else { continue }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: scale.factor)
      return isTooLarge ? nil : product
    }
    return nil
  }

  private static func spelling(_ unit: RunMeasure.Unit) -> String {
    switch unit {
    case .time: "300ms, 2.5 s or 1min"
    case .rate: "20kbit/s"
    case .share: "5%"
    case .count: "0"
    }
  }
}
