/// What a parser made of its octets.
public enum ParserAnswer: Hashable, Sendable {
  /// `kind` tells values apart; `canonical` is the value encoded again, nil where there is no encoder.
  case accepted(kind: UInt64, canonical: [UInt8]? = nil)
  /// `offset` counts octets from the start of the input.
  case refused(String, offset: Int)
}

/// A small parser with one defect, and the same parser without it.
///
/// A defect of the parsers is a line that is missing or wrong; `isSound` puts it right. None of them needs a library, so
/// other fuzzers can compile the same files.
public struct PlantedParser: Sendable {
  public let id: String
  /// What is wrong, in one line.
  public let summary: String
  /// An input that shows it. Of a parser that keeps something from input to input: one that shows it when it is repeated.
  public let witness: [UInt8]
  /// How often the witness is to be tried in one process.
  public let repetitions: Int
  let parse: @Sendable (_ input: [UInt8], _ isSound: Bool) -> ParserAnswer

  init(
    _ id: String, _ summary: String, witness: [UInt8], repetitions: Int = 1,
    parse: @escaping @Sendable (_ input: [UInt8], _ isSound: Bool) -> ParserAnswer
  ) {
    self.id = id
    self.summary = summary
    self.witness = witness
    self.repetitions = repetitions
    self.parse = parse
  }

  public func answer(to input: [UInt8], isSound: Bool) -> ParserAnswer { parse(input, isSound) }

  public static let all: [PlantedParser] = advertising + wire + texts + fragments + files
}

/// Numbers of an input by their place; nil beyond its end.
struct Octets {
  let input: [UInt8]

  func octet(_ place: Int) -> UInt8? { input.indices.contains(place) ? input[place] : nil }

  func little16(_ place: Int) -> UInt16? {
    guard let low = octet(place), let high = octet(place + 1) else { return nil }
    return UInt16(low) | UInt16(high) << 8
  }

  func big32(_ place: Int) -> UInt32? { number(place, [24, 16, 8, 0]) }
  func little32(_ place: Int) -> UInt32? { number(place, [0, 8, 16, 24]) }

  private func number(_ place: Int, _ shifts: [UInt32]) -> UInt32? {
    guard place >= 0, place + 4 <= input.count else { return nil }
    return shifts.enumerated().reduce(0) { $0 | UInt32(input[place + $1.offset]) << $1.element }
  }
}
