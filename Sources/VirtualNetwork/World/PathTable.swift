import AppSeam
import SimKernel

/// What holds between each two devices: rules, faults, and what has passed.
final class PathTable {
  private struct Direction {
    var rules: PathRules
    /// A partition lies between them.
    var isParted = false
    /// Packets that were offered, of both interfaces.
    var count: UInt64 = 0
    /// When a path with a bandwidth has sent what it was given.
    var freeAt = SimInstant.zero
    /// For bursts: whether times are bad, and until when they stay as they are.
    var isBad = true
    var turnsAt = SimInstant.zero
    var random: RandomStream?
  }

  private let count: Int
  private let field: RandomField
  private let seed: UInt64
  private let names: [String]
  private let numbers: [UInt64]
  @exclusivity(unchecked) private var directions: [Direction]
  /// By interface and direction.
  @exclusivity(unchecked) private var passes: [Bool]
  /// What faults add to all paths of a device.
  @exclusivity(unchecked) private var addedDelay: [SimDuration]
  @exclusivity(unchecked) private var addedLoss: [Ratio]
  /// Nothing is ever lost or limited, so that only delays are asked for.
  @exclusivity(unchecked) private var isPlain = false

  init(_ room: NetworkRoom, _ stations: [NetworkStation], seed: UInt64) {
    count = stations.count
    self.seed = seed
    names = stations.map(\.name)
    numbers = names.map { RandomField.number(of: $0) }
    field = RandomField(seed: seed, component: "network", purpose: "loss")
    directions = Array(repeating: Direction(rules: room.path), count: count * count)
    for path in room.paths where path.from < count && path.to < count {
      directions[path.from * count + path.to].rules = path.rules
    }
    passes = Array(repeating: false, count: 2 * count * count)
    addedDelay = Array(repeating: .zero, count: count)
    addedLoss = Array(repeating: .never, count: count)
    simplify()
  }

  private func simplify() {
    isPlain =
      addedLoss.allSatisfy(\.isZero)
      && directions.allSatisfy { $0.rules.loss == .none && $0.rules.bitsPerSecond == nil }
  }

  // MARK: Who reaches whom

  /// Whether packets can pass, as things are.
  func passes(_ from: Int, _ to: Int, _ interface: NetworkInterface) -> Bool {
    passes[(interface.index * count + from) * count + to]
  }

  func setPasses(_ from: Int, _ to: Int, _ interface: NetworkInterface, _ value: Bool) {
    passes[(interface.index * count + from) * count + to] = value && !directions[from * count + to].isParted
  }

  /// Puts a partition between two devices, or takes it away; both ways.
  func part(_ a: Int, _ b: Int, _ isParted: Bool) {
    directions[a * count + b].isParted = isParted
    directions[b * count + a].isParted = isParted
  }

  // MARK: Faults

  func setDelay(_ delay: SimDuration, of device: Int) { addedDelay[device] = max(delay, .zero) }
  func setLoss(_ loss: Ratio, of device: Int) {
    addedLoss[device] = loss
    simplify()
  }

  // MARK: Packets

  /// The number of the next packet of a direction.
  func number(_ from: Int, _ to: Int) -> UInt64 {
    let place = from * count + to
    directions[place].count &+= 1
    return directions[place].count
  }

  func delay(_ from: Int, _ to: Int) -> SimDuration {
    directions[from * count + to].rules.delay + addedDelay[from] + addedDelay[to]
  }

  /// When a packet that is handed to the path now has left a limit of bandwidth.
  func departure(_ from: Int, _ to: Int, octets: @autoclosure () -> Int, at now: SimInstant) -> SimInstant {
    if isPlain { return now }
    let place = from * count + to
    guard let rate = directions[place].rules.bitsPerSecond.map({ max($0, 1) }) else { return now }
    let bits = Int64(octets()) * 8
    let start = max(now, directions[place].freeAt)
    directions[place].freeAt = start + .nanoseconds((bits * 1_000_000_000 + rate - 1) / rate)
    return directions[place].freeAt
  }

  /// Whether a packet is dropped whatever the medium repeats.
  func dropsAltogether(_ from: Int, _ to: Int, number: UInt64) -> Bool {
    guard !isPlain, case .every(let period) = directions[from * count + to].rules.loss else { return false }
    return number % UInt64(max(period, 1)) == 0
  }

  /// Whether an attempt to send a packet fails.
  func fails(_ from: Int, _ to: Int, number: UInt64, attempt: Int, at now: SimInstant) -> Bool {
    if isPlain { return false }
    let words = field.words(numbers[from], numbers[to], number)
    let first = UInt64(attempt) * 4
    if RandomField.happens(addedLoss[from], by: words[first]) { return true }
    if RandomField.happens(addedLoss[to], by: words[first + 1]) { return true }
    switch directions[from * count + to].rules.loss {
    case .none, .every: return false
    case .independent(let ratio): return RandomField.happens(ratio, by: words[first + 2])
    case .bursts(let good, let bad, let lossInGood, let lossInBad):
      let isBad = isBad(from * count + to, good, bad, at: now)
      return RandomField.happens(isBad ? lossInBad : lossInGood, by: words[first + 2])
    }
  }

  /// Times begin to be good at the start of the run.
  private func isBad(_ place: Int, _ good: SimDuration, _ bad: SimDuration, at now: SimInstant) -> Bool {
    var random =
      directions[place].random
      ?? RandomStream(
        seed: seed, component: "network/\(names[place / count])/\(names[place % count])", purpose: "bursts")
    while directions[place].turnsAt <= now {
      directions[place].isBad.toggle()
      directions[place].turnsAt =
        directions[place].turnsAt + Exponential.draw(directions[place].isBad ? bad : good, from: &random)
    }
    directions[place].random = random
    return directions[place].isBad
  }
}
