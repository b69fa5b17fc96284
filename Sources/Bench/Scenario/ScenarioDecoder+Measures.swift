import BluetoothWire
import SimKernel

/// What the words of a predicate say about a figure.
enum MeasureReading {
  /// They are about something else.
  case otherWords
  /// They are, and what is wrong has been noted.
  case refused
  case fact(Condition.Fact)
}

/// A measure in words: `[p99] latency at most 50ms [from sensor]`, `throughput at least 230 kbit/s [over 5s]`,
/// `packet error rate at most 1%`, `discovery time at most 1s`; and `disconnected with reason 0x08`.
extension ScenarioDecoder {
  private enum Noun: String, CaseIterable {
    case throughput
    case latency
    case packetErrorRate = "packet error rate"
    case discoveryTime = "discovery time"

    var words: [String] { rawValue.split(separator: " ").map(String.init) }
    var example: String {
      switch self {
      case .throughput: "throughput at least 200 kbit/s"
      case .latency: "p99 latency at most 50ms"
      case .packetErrorRate: "packet error rate at most 1%"
      case .discoveryTime: "discovery time at most 1s"
      }
    }
    var hasSamples: Bool { self == .latency || self == .discoveryTime }
  }

  private static let reason = ["disconnected", "with", "reason"]

  /// One spelling of each, for messages.
  static let measurePredicates = Noun.allCases.map(\.example) + [(reason + ["0x08"]).joined(separator: " ")]

  /// - Parameter words: the predicate, `of` included.
  func measure(_ words: [String], at location: SourceLocation) -> MeasureReading {
    if words.starts(with: Self.reason) { return disconnection(Array(words.dropFirst(3)), at: location) }
    for start in 0...1 {
      let rest = words.dropFirst(start)
      guard let noun = Noun.allCases.first(where: { rest.starts(with: $0.words) }) else { continue }
      return measure(
        noun, statistic: start == 1 ? words[0] : nil, Array(rest.dropFirst(noun.words.count)), at: location)
    }
    return nearMiss(words, at: location)
  }

  /// A noun that is probably misspelt.
  private func nearMiss(_ words: [String], at location: SourceLocation) -> MeasureReading {
    guard words.contains("most") || words.contains("least") else { return .otherWords }
    for word in words.prefix(2) {
      let nouns = [Noun.throughput, .latency].map(\.rawValue)
      if let near = Suggestion.nearest(to: word, in: nouns, within: 2) {
        note(location, "“\(shown(word))” is no measure; did you mean “\(near)”?")
        return .refused
      }
    }
    return .otherWords
  }

  private func measure(
    _ noun: Noun, statistic: String?, _ words: [String], at location: SourceLocation
  ) -> MeasureReading {
    var parts: [(key: String, words: [String])] = []
    for (index, word) in words.enumerated() {
      // “latency of at most 5ms” and “latency of sensor at most 5ms”.
      if word == "of", words.dropFirst(index + 1).first == "at" { continue }
      let key = word == "of" ? "from" : word
      if ["at", "from", "over"].contains(key) {
        parts.append((key, []))
      } else if parts.isEmpty {
        note(location, "“\(shown(word))” after “\(noun.rawValue)”; write for example “\(noun.example)”")
        return .refused
      } else {
        parts[parts.count - 1].words.append(word)
      }
    }
    for key in ["at", "from", "over"] where parts.count(where: { $0.key == key }) > 1 {
      note(location, "“\(key)” is written twice about one \(noun.rawValue); write two conditions")
      return .refused
    }
    func part(_ key: String) -> String? { parts.first { $0.key == key }?.words.joined(separator: " ") }
    guard let (limit, bound) = bound(noun, parts.first { $0.key == "at" }?.words ?? [], at: location) else {
      return .refused
    }
    var measure = Measure(quantity: .packetErrorRate, limit: limit, bound: bound)
    if let names = part("from") {
      guard let senders = selection(names, at: location) else { return .refused }
      measure.senders = senders
    }
    guard let quantity = quantity(noun, statistic, over: part("over"), at: location) else { return .refused }
    measure.quantity = quantity
    return .fact(.measure(measure))
  }

  private func bound(_ noun: Noun, _ words: [String], at location: SourceLocation) -> (Measure.Limit, Int64)? {
    guard let word = words.first, word == "most" || word == "least", words.count > 1 else {
      return refuse(location, "“\(noun.rawValue)” needs a limit; write for example “\(noun.example)”")
    }
    let text = words.dropFirst().joined(separator: " ")
    let what = "“\(noun.rawValue)”"
    let bound =
      switch noun {
      case .throughput: quantity(text, at: location, what, .rate, 0...10_000_000, "0 kbit/s to 10 Mbit/s")
      case .packetErrorRate: quantity(text, at: location, what, .probability, 0...1_000_000, "0% to 100%")
      case .latency, .discoveryTime:
        duration(text, at: location, what, least: .zero)?.nanoseconds
      }
    return bound.map { (word == "most" ? .atMost : .atLeast, $0) }
  }

  private func quantity(
    _ noun: Noun, _ statistic: String?, over window: String?, at location: SourceLocation
  ) -> Measure.Quantity? {
    if window != nil, noun != .throughput {
      return refuse(location, "“over” is of a throughput; leave it out of “\(noun.rawValue)”")
    }
    if let statistic, !noun.hasSamples {
      return refuse(
        location, "“\(shown(statistic))” is of several samples, a \(noun.rawValue) is one figure; leave it out")
    }
    switch noun {
    case .packetErrorRate: return .packetErrorRate
    case .latency: return self.statistic(statistic, at: location).map { .latency($0) }
    case .discoveryTime: return self.statistic(statistic, at: location).map { .discoveryTime($0) }
    case .throughput:
      guard let window else { return .throughput(over: nil) }
      return duration(window, at: location, "“over”", least: .milliseconds(1)).map { .throughput(over: $0) }
    }
  }

  private func statistic(_ word: String?, at location: SourceLocation) -> Measure.Statistic? {
    switch word {
    case nil: return .every
    case "least": return .least
    case "greatest": return .greatest
    case "mean": return .mean
    case "median": return .quantile(permille: 500)
    case let word?:
      if word.first == "p", let share = Quantity(String(word.dropFirst())), share.unit.isEmpty,
        let permille = share.scaled(by: 10), (1...999).contains(permille)
      {
        return .quantile(permille: Int(permille))
      }
      return refuse(location, "“\(shown(word))” is no statistic; write mean, median, least, greatest, or p0.1 to p99.9")
    }
  }

  private func disconnection(_ words: [String], at location: SourceLocation) -> MeasureReading {
    let text = words.joined(separator: " ").lowercased()
    let names = HCI.ErrorCode.reasonNames.map(\.name)
    if text.hasPrefix("0x"), let code = UInt8(text.dropFirst(2), radix: 16), code > 0 {
      return .fact(.disconnected(HCI.ErrorCode(code)))
    }
    if let reason = HCI.ErrorCode.reasonNames.first(where: { $0.name == text }) {
      return .fact(.disconnected(reason.code))
    }
    let advice =
      Suggestion.nearest(to: text, in: names).map { "did you mean “\($0)”?" }
      ?? "write its code, as in “reason 0x08”, or " + Suggestion.alternatives(names)
    note(location, "“\(shown(text))” is no reason of a disconnection; \(advice)")
    return .refused
  }
}

extension ScenarioDecoder.Dimension {
  /// Bits in a second.
  static var rate: Self {
    Self(
      name: "rate", units: [("Mbit/s", 1_000_000), ("kbit/s", 1_000), ("bit/s", 1)],
      examples: "230 kbit/s or 1.2 Mbit/s")
  }
}
