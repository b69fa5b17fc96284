public import SimKernel

/// Changes inputs: octets and lengths, or the words of a text; words of the format, parts of other inputs.
///
/// Deterministic: all draws come from the stream. An input never grows beyond the grammar's limit.
public struct InputMutator: Sendable {
  private let form: InputGrammar.Form
  private let limit: Int
  private let words: [[UInt8]]
  public var stream: RandomStream

  public init(_ grammar: InputGrammar, stream: RandomStream) {
    form = grammar.form
    limit = grammar.limit
    words = grammar.words
    self.stream = stream
  }

  /// One to six changes.
  /// - Parameter other: an input to take parts of.
  public mutating func mutate(_ input: inout [UInt8], with other: [UInt8]) {
    for _ in 0...below(6) { change(&input, other) }
    if input.count > limit { input.removeLast(input.count - limit) }
  }

  private mutating func below(_ bound: Int) -> Int { Int(stream.below(UInt64(max(1, bound)))) }

  private mutating func change(_ input: inout [UInt8], _ other: [UInt8]) {
    if case .text = form, below(3) > 0 { return changeText(&input) }
    switch below(12) {
    case 0, 1: flip(&input)
    case 2: setAwkward(&input)
    case 3: changeLength(&input)
    case 4: insert([UInt8](repeating: UInt8(below(256)), count: 1 + below(1 + below(64))), into: &input)
    case 5: insertRandom(&input)
    case 6: remove(&input)
    case 7: input.removeLast(below(input.count + 1))
    case 8: copyWithin(&input)
    case 9: splice(&input, other)
    case 10: if !words.isEmpty { overwrite(words[below(words.count)], in: &input) }
    default: if !words.isEmpty { insert(words[below(words.count)], into: &input) }
    }
  }

  private mutating func flip(_ input: inout [UInt8]) {
    if input.isEmpty { return }
    input[below(input.count)] ^= 1 << UInt8(below(8))
  }

  private static let awkward: [UInt64] = [
    0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
    0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, .max,
  ]

  /// A number of one, two, four or eight octets that breaks arithmetic more often than others, either end first.
  private mutating func setAwkward(_ input: inout [UInt8]) {
    put(Self.awkward[below(Self.awkward.count)], &input, at: below(input.count))
  }

  private mutating func put(_ value: UInt64, _ input: inout [UInt8], at place: Int) {
    let width = 1 << below(4)
    let isBig = below(2) == 0
    for index in 0..<width where place + index < input.count {
      let shift = UInt64(8 * (isBig ? width - 1 - index : index))
      input[place + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  /// Looks for an octet that may count what follows it, and makes it count too much, too little, or rightly.
  private mutating func changeLength(_ input: inout [UInt8]) {
    if input.isEmpty { return }
    let place = below(min(input.count, 32))
    let rest = input.count - place - 1
    put(UInt64(max(0, rest + below(7) - 3)), &input, at: place)
  }

  private mutating func insert(_ octets: [UInt8], into input: inout [UInt8]) {
    let place = below(input.count + 1)
    input.insert(contentsOf: octets, at: place)
    // Half of the time the octet before the place where lengths stand goes along.
    if place > 0, below(2) == 0 { grow(&input, by: octets.count, before: place) }
  }

  private mutating func grow(_ input: inout [UInt8], by count: Int, before place: Int) {
    let index = below(min(place, 8))
    input[index] = input[index] &+ UInt8(truncatingIfNeeded: count)
  }

  private mutating func insertRandom(_ input: inout [UInt8]) {
    let octets = (0...below(16)).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
    insert(octets, into: &input)
  }

  private mutating func remove(_ input: inout [UInt8]) {
    if input.isEmpty { return }
    let start = below(input.count)
    input.removeSubrange(start..<min(input.count, start + 1 + below(1 + below(32))))
  }

  private mutating func copyWithin(_ input: inout [UInt8]) {
    if input.isEmpty { return }
    let start = below(input.count)
    insert(Array(input[start..<min(input.count, start + 1 + below(32))]), into: &input)
  }

  private mutating func splice(_ input: inout [UInt8], _ other: [UInt8]) {
    if other.isEmpty { return }
    let start = below(other.count)
    let part = Array(other[start...].prefix(1 + below(other.count)))
    let place = below(input.count + 1)
    input.replaceSubrange(place..<min(input.count, place + (below(2) == 0 ? part.count : 0)), with: part)
  }

  private mutating func overwrite(_ word: [UInt8], in input: inout [UInt8]) {
    let place = below(input.count + 1)
    input.replaceSubrange(place..<min(input.count, place + word.count), with: word)
  }

  // MARK: Texts

  private static let values: [String] = [
    "0", "-0", "-1", "1", "1.5", "1e3", "1e400", "-1e-400", "9223372036854775807", "9223372036854775808",
    "-9223372036854775809", "00", "+1", "0x10", "true", "false", "null", "NaN", "\"\"", "{}", "[]", "[[]]",
    "\"\\u0000\"",
    "\"\\ud800\"", "\"\\ud83d\\ude00\"", "~", "&a", "*a", "!!str", "|", ">", "? ", "- ", ": ", "# ", "\t", "\n", "\r\n",
  ]

  /// Takes a word, a quoted text, a number or a bracketed part for another, drops it, or doubles it.
  private mutating func changeText(_ input: inout [UInt8]) {
    if below(4) == 0, changeNumber(&input) { return }
    guard let token = token(in: input) else { return insert(Array("{\"a\":1}".utf8), into: &input) }
    switch below(6) {
    case 0: input.removeSubrange(token)
    case 1: input.insert(contentsOf: input[token], at: token.upperBound)
    case 2: input.replaceSubrange(token, with: Array(Self.values[below(Self.values.count)].utf8))
    case 3: if !words.isEmpty { input.replaceSubrange(token, with: words[below(words.count)]) }
    case 4:
      if let other = self.token(in: input) { input.replaceSubrange(token, with: Array(input[other])) }
    default: nest(&input, token)
    }
  }

  private static let numbers: [[UInt8]] = [
    "0", "-0", "-1", "1", "255", "256", "65535", "65536", "2147483647", "2147483648", "-2147483649",
    "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616", "0.5", "1e3", "1e400",
    "-1e400", "1e-400", "NaN", "Infinity", "1.0000000000000001",
  ].map { Array($0.utf8) }

  /// Takes another number for one that is not in quotes, each as often as the others; false when there is none.
  private mutating func changeNumber(_ input: inout [UInt8]) -> Bool {
    var starts: [Int] = []
    var (isQuoted, isInside, place) = (false, false, 0)
    while place < input.count {
      let octet = input[place]
      if octet == UInt8(ascii: "\\"), isQuoted {
        place += 1
      } else if octet == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, !isInside, octet == UInt8(ascii: "-") || Self.isDigit(octet) {
        starts.append(place)
      }
      isInside = isWord(octet)
      place += 1
    }
    if starts.isEmpty { return false }
    let start = starts[below(starts.count)]
    var end = start + 1
    while end < input.count, isWord(input[end]) { end += 1 }
    input.replaceSubrange(start..<end, with: Self.numbers[below(Self.numbers.count)])
    return true
  }

  private static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }

  /// Brackets around a part, up to a few hundred deep.
  private mutating func nest(_ input: inout [UInt8], _ token: Range<Int>) {
    let depth = 1 + below(1 + below(300))
    let (open, close): (String, String) = [("[", "]"), ("{\"a\":", "}"), ("\"", "\"")][below(3)]
    let part = Array(input[token])
    let opened = [UInt8](String(repeating: open, count: depth).utf8)
    input.replaceSubrange(token, with: opened + part + [UInt8](String(repeating: close, count: depth).utf8))
  }

  /// A place in a text, grown to the token it is in.
  private mutating func token(in input: [UInt8]) -> Range<Int>? {
    if input.isEmpty { return nil }
    let place = below(input.count)
    if input[place] == UInt8(ascii: "{") || input[place] == UInt8(ascii: "[") { return bracketed(input, place) }
    var (start, end) = (place, place + 1)
    while start > 0, isWord(input[start - 1]) { start -= 1 }
    while end < input.count, isWord(input[end]) { end += 1 }
    return start..<end
  }

  private func bracketed(_ input: [UInt8], _ place: Int) -> Range<Int> {
    var depth = 0
    for index in place..<input.count {
      switch input[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: continue
      }
      if depth == 0 { return place..<index + 1 }
    }
    return place..<input.count
  }

  private func isWord(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "\""), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "+"), 0x80...:
      true
    default: false
    }
  }
}
