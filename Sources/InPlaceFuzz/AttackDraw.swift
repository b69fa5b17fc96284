import SimKernel

/// Draws attacks: the same seed, number and corpus give the same one.
struct AttackDraw {
  /// Octets of the longest unit that is made.
  static let unitLimit = 8_192
  /// The longest that a unit of its own waits.
  private static let patience: Int64 = 400_000_000

  private let seed: UInt64
  private let seam: FuzzSeam
  private let routes: Int
  private let pool: [[UInt8]]
  private let own: [[UInt8]]
  private let drawn: [[UInt8]]
  private let octets: OctetMutator
  private let packets: JSONMutator

  /// - Parameters:
  ///   - pool: units of all devices.
  ///   - own: those of the hostile one.
  ///   - drawn: units that nobody has sent.
  init(seed: UInt64, seam: FuzzSeam, routes: Int, pool: [[UInt8]], own: [[UInt8]], drawn: [[UInt8]]) {
    self.seed = seed
    self.seam = seam
    self.routes = max(1, routes)
    self.pool = pool
    self.own = own
    self.drawn = drawn
    octets = OctetMutator(pool: pool + drawn, limit: Self.unitLimit)
    packets = JSONMutator(pool: seam == .packet ? pool : [], limit: Self.unitLimit)
  }

  /// - Parameter corpus: attacks that have shown something new.
  func attack(_ execution: Int, corpus: [Attack]) -> Attack {
    var draws = RandomStream(seed: seed, component: "fuzz", purpose: "execution \(execution)")
    guard !corpus.isEmpty, draws.below(2) == 0 else { return fresh(&draws) }
    var attack = corpus[Int(draws.below(UInt64(corpus.count)))]
    guard !attack.strokes.isEmpty else { return fresh(&draws) }
    let place = Int(draws.below(UInt64(attack.strokes.count)))
    switch draws.below(8) {
    case 0: attack.strokes.append(contentsOf: fresh(&draws).strokes)
    case 1: attack.strokes.append(contentsOf: corpus[Int(draws.below(UInt64(corpus.count)))].strokes)
    case 2: if attack.strokes.count > 1 { attack.strokes.remove(at: place) }
    case 3: attack.strokes.append(attack.strokes[place])
    case 4: attack.strokes[place].manner = manner(&draws)
    default: attack.strokes[place].octets = mutated(attack.strokes[place].octets, &draws)
    }
    attack.strokes = Array(attack.strokes.prefix(8))
    return attack
  }

  private func fresh(_ draws: inout RandomStream) -> Attack {
    if !drawn.isEmpty, draws.below(6) == 0 { return volley(&draws) }
    return Attack((0...draws.below(4)).map { _ in stroke(&draws) })
  }

  /// Units that nobody has sent one after the other, most as they were drawn: what is wrong may need two of them.
  private func volley(_ draws: inout RandomStream) -> Attack {
    let route = Int(draws.below(UInt64(routes)))
    return Attack(
      (0..<8).map { _ in
        let origin = drawn[Int(draws.below(UInt64(drawn.count)))]
        let octets = draws.below(4) == 0 ? mutated(origin, &draws) : origin
        return Attack.Stroke(.send(after: .zero, route: route), octets: octets, origin: origin)
      })
  }

  private func stroke(_ draws: inout RandomStream) -> Attack.Stroke {
    let manner = manner(&draws)
    switch manner {
    case .drop, .again, .late: return Attack.Stroke(manner)
    case .send, .replace:
      // Its own units fit where it is, those of others are what it must not say, and some nobody ever says.
      let sources = (drawn.isEmpty ? [own, own, pool] : [own, pool, drawn]).map { $0.isEmpty ? pool : $0 }
      let source = sources[Int(draws.below(3))]
      let origin = source.isEmpty ? [] : source[Int(draws.below(UInt64(source.count)))]
      // What is wrong may be that it comes at all, or after another one; so many go as they are.
      let octets = draws.below(3) == 0 ? origin : mutated(origin, &draws)
      return Attack.Stroke(manner, octets: octets, origin: origin)
    }
  }

  private func manner(_ draws: inout RandomStream) -> Attack.Manner {
    let index = Int(draws.below(4))
    return switch draws.below(10) {
    case 0: .drop(index)
    case 1: .again(index, times: Int(draws.below(4)) + 2)
    case 2: .late(index, .nanoseconds(draws.within(1...Self.patience)))
    case 3, 4: .replace(index)
    case 5, 6: .send(after: .zero, route: Int(draws.below(UInt64(routes))))
    default:
      .send(after: .nanoseconds(draws.within(0...Self.patience)), route: Int(draws.below(UInt64(routes))))
    }
  }

  private func mutated(_ unit: [UInt8], _ draws: inout RandomStream) -> [UInt8] {
    seam == .packet ? packets.mutated(unit, &draws) : octets.mutated(unit, &draws)
  }
}
