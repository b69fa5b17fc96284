import SimKernel

/// Path losses between radios and from interferers, computed when they are asked for.
///
/// A table of fixed size keeps what was computed lately: a row of 64 places for each radio, and one place for each pair
/// while there are at most 64 radios. A place that another pair takes costs time only.
struct Propagation {
  private struct Entry {
    /// The radio with the larger index; none at first. The row is that of the other one.
    var partner = UInt32.max
    /// How often the two had moved.
    var moves: UInt32 = 0
    var loss: Int32 = 0
    /// Place of the pair's burst state, -1 when it was not looked up yet.
    var burst: Int32 = -1
  }

  /// What is asked of a radio each time, side by side.
  struct Radio {
    var position: Position
    /// Hundredths of dBm.
    var power: Int32
    var sensitivity: Int32
    /// A number for its name, for draws.
    var number: UInt64
    /// How often it moved.
    var moves: UInt32 = 0
  }

  private let environment: RadioEnvironment
  private let shadowing: RandomField
  private(set) var radios: [Radio]
  private var entries: [Entry]
  /// Numbers of the pairs that were asked for; only looked up.
  private var bursts: [UInt64: Int32] = [:]
  private let columns: Int

  init(environment: RadioEnvironment, seed: UInt64, radios: [Radio]) {
    self.environment = environment
    self.radios = radios
    shadowing = RandomField(seed: seed, component: "air", purpose: "shadowing")
    var width = 1
    while width < radios.count { width *= 2 }
    columns = min(width, 64)
    entries = Array(repeating: Entry(), count: radios.count * columns)
  }

  mutating func move(_ radio: Int, to position: Position) {
    radios[radio].position = position
    radios[radio].moves &+= 1
  }

  /// Another radio is in the place of one of which nobody has heard.
  mutating func replace(_ radio: Int, by other: Radio) {
    let moves = radios[radio].moves
    radios[radio] = other
    radios[radio].moves = moves &+ 1
  }

  /// The loss between two radios, the same in both directions, hundredths of dB.
  mutating func loss(_ one: Int, _ other: Int) -> Int { Int(entries[place(one, other)].loss) }

  /// The same of a pair that need not have to do with each other: it takes no place from one that does.
  func passingLoss(_ one: Int, _ other: Int) -> Int {
    let (a, b) = (min(one, other), max(one, other))
    let entry = entries[home(a, b)]
    if entry.partner == UInt32(b), entry.moves == radios[a].moves &+ radios[b].moves { return Int(entry.loss) }
    return loss(radios[a].position, radios[b].position) + shadow(a, b)
  }

  /// No more than the loss between two radios: without shadowing, and by a logarithm of two binary digits.
  func leastLoss(_ one: Int, _ other: Int) -> Int {
    loss(squaredCentimetres: squaredDistance(radios[one].position, radios[other].position), digits: 2)
  }

  /// Where the entry of a pair is. An odd factor takes up to 64 partners to different places, and spreads more of them.
  private func home(_ a: Int, _ b: Int) -> Int { a * columns + b &* 0x9E37_79B1 & (columns - 1) }

  /// Place of a pair's burst state, counted from 0 in the order in which pairs are first asked for.
  mutating func burst(_ one: Int, _ other: Int) -> Int {
    let place = place(one, other)
    if entries[place].burst < 0 {
      let pair = UInt64(min(one, other)) << 32 | UInt64(max(one, other))
      let number = bursts[pair] ?? Int32(bursts.count)
      bursts[pair] = number
      entries[place].burst = number
    }
    return Int(entries[place].burst)
  }

  /// The entry of a pair, computed if another pair had its place or one of the two has moved.
  private mutating func place(_ one: Int, _ other: Int) -> Int {
    let (a, b) = (min(one, other), max(one, other))
    let place = home(a, b)
    let moved = radios[a].moves &+ radios[b].moves
    if entries[place].partner == UInt32(b), entries[place].moves == moved { return place }
    let loss = Int32(clamping: loss(radios[a].position, radios[b].position) + shadow(a, b))
    entries[place] = Entry(partner: UInt32(b), moves: moved, loss: loss)
    return place
  }

  /// The constant extra loss of a pair, uniform between zero and the room's `shadowing`.
  private func shadow(_ a: Int, _ b: Int) -> Int {
    guard environment.shadowing > 0 else { return 0 }
    let (low, high) = (min(radios[a].number, radios[b].number), max(radios[a].number, radios[b].number))
    let word = shadowing.words(low, high, 0)[0]
    return Int(word.multipliedFullWidth(by: UInt64(environment.shadowing) + 1).high)
  }

  /// Log-distance path loss; nearer than 10 cm counts as 10 cm.
  func loss(_ a: Position, _ b: Position) -> Int { loss(squaredCentimetres: squaredDistance(a, b)) }

  private func squaredDistance(_ a: Position, _ b: Position) -> UInt64 {
    let dx = Int64(a.x - b.x)
    let dy = Int64(a.y - b.y)
    let dz = Int64(a.z - b.z)
    return UInt64(dx * dx + dy * dy + dz * dz)
  }

  /// - Parameter digits: binary digits of the logarithm; fewer give no larger loss.
  private func loss(squaredCentimetres squared: UInt64, digits: Int = 16) -> Int {
    let distance = Decibel.tenLogOfDistance(squaredCentimetres: max(squared, 100), digits: digits)
    return environment.referenceLoss + environment.pathLossExponent * distance / 100
  }

  /// The largest distance in centimetres at which the loss is at most `budget`, hundredths of dB; at most 20 000 km.
  func reach(budget: Int) -> Int {
    var (near, far) = (0, 1 << 31)
    while near < far {
      let middle = (near + far + 1) / 2
      if loss(squaredCentimetres: UInt64(middle) * UInt64(middle)) <= budget {
        near = middle
      } else {
        far = middle - 1
      }
    }
    return near
  }
}
