/// What a case is played without: less than its purpose arranges and does.
///
/// `babbench shrink` looks for it and `babbench conform --stage` takes it. Stimuli are numbered from 1 in the order in
/// which the case comes to them, those that are left out included.
public struct StageCut: Hashable, Sendable {
  /// A part of the stage that a purpose may arrange, and that can be plain instead.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case radio, network, phones, names, game

    /// The word for a part as it is when no purpose arranges it.
    public var plain: String {
      switch self {
      case .radio, .network, .phones: "ideal"
      case .names, .game: "plain"
      }
    }
  }

  /// The bench plays only the first so many of the case's peers; nil: all.
  public var peers: Int?
  /// Parts that are plain instead of arranged.
  public var plain: Set<Part> = []
  /// The numbers of the stimuli that are not given.
  public var without: Set<Int> = []

  public init() {}

  public var isNothing: Bool { self == StageCut() }

  // MARK: Words

  /// What `words` may look like, for people.
  public static let forms =
    "peers=N, " + Part.allCases.map { "\($0.rawValue)=\($0.plain)" }.joined(separator: ", ") + ", without=N,N-N"

  /// As command lines write it, a word for each value of `--stage`.
  public var words: [String] {
    (peers.map { ["peers=\($0)"] } ?? [])
      + Part.allCases.filter(plain.contains).map { "\($0.rawValue)=\($0.plain)" }
      + (without.isEmpty ? [] : ["without=" + Self.ranges(of: without)])
  }

  /// Adds what a word says.
  /// - Returns: false for what is no such word; then nothing is added.
  public mutating func add(word: String) -> Bool {
    let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard halves.count == 2 else { return false }
    switch halves[0] {
    case "peers":
      guard let count = Int(halves[1]), count > 0 else { return false }
      peers = count
    case "without":
      guard let numbers = Self.numbers(in: halves[1]) else { return false }
      without.formUnion(numbers)
    default:
      guard let part = Part(rawValue: halves[0]), halves[1] == part.plain else { return false }
      plain.insert(part)
    }
    return true
  }

  /// More stimuli than any case has.
  private static let largest = 100_000

  /// `3,5-7` for 3, 5, 6 and 7.
  private static func ranges(of numbers: Set<Int>) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers.sorted() {
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  private static func numbers(in text: String) -> Set<Int>? {
    var numbers: Set<Int> = []
    for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = piece.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first > 0, first <= last,
        last <= largest
      else { return nil }
      numbers.formUnion(first...last)
    }
    return numbers
  }
}

/// As its words.
extension StageCut: Codable {
  public init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    for word in try box.decode([String].self) where !add(word: word) {
      throw DecodingError.dataCorruptedError(in: box, debugDescription: "a word is one of \(Self.forms)")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(words)
  }
}
