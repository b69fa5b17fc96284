import BabSuite
import Conformance
import InPlaceFuzz
import SimKernel

/// One world with a defect in it under the fuzzer of the product, or under attacks that are drawn otherwise.
struct WorldHunt {
  let target: HuntedWorld
  /// CPU seconds that one hunt may take.
  var budget: Double

  private static let apps = [AppProtocol.bab]

  /// Findings of the witness with the defect, and without it.
  /// - Parameter sound: worlds without a defect that are there already, by what they were made of.
  func witnessed(_ sound: inout [String: Campaign]) throws -> (planted: [String], sound: [String]) {
    let world = target.soundWorld
    let bearing = try sound[world] ?? campaign(seed: 1, isSound: true)
    sound[world] = bearing
    let planted = try campaign(seed: 1, isSound: false)
    return (try findings(of: planted), try findings(of: bearing))
  }

  private func findings(of campaign: Campaign) throws -> [String] {
    try campaign.play(target.witness)?.findings.map { "\($0.cause.name): \($0.text)" } ?? []
  }

  private func campaign(seed: UInt64, isSound: Bool) throws -> Campaign {
    try Campaign(target.plan(seed: seed, isSound: isSound), protocols: Self.apps, jobs: 1)
  }

  func hunt(_ hunter: Hunter, seed: UInt64) throws -> Trial {
    let begun = CPUClock.seconds
    let campaign = try campaign(seed: seed, isSound: false)
    var isOver: Bool { CPUClock.seconds - begun >= budget }
    var executions = 0
    var found: Int?
    if hunter == .ours {
      var looked = 0
      while found == nil, !isOver {
        _ = try campaign.play(campaign.nextGeneration(of: nil))
        let fresh = campaign.discoveries.dropFirst(looked)
        looked = campaign.discoveries.count
        found = try fresh.first { try isOfDefect($0.attack, seed: seed) }?.execution
      }
      executions = found ?? campaign.executions
    } else {
      var draw = PlainAttackDraw(
        seed: seed, units: hunter == .plain ? campaign.units : [], routes: campaign.routeCount)
      while found == nil, !isOver {
        executions += 1
        let attack = draw.next()
        guard let execution = try campaign.play(attack) else { break }
        if !execution.findings.isEmpty, try isOfDefect(attack, seed: seed) { found = executions }
      }
    }
    return Trial(isFound: found != nil, executions: executions, seconds: CPUClock.seconds - begun)
  }

  /// Whether an attack shows nothing where nothing is planted.
  private func isOfDefect(_ attack: Attack, seed: UInt64) throws -> Bool {
    let sound = try campaign(seed: seed, isSound: true)
    return try sound.play(attack)?.findings.isEmpty ?? false
  }
}

/// Attacks by somebody who knows no format: random octets, or recorded units with octets changed.
struct PlainAttackDraw {
  private var stream: RandomStream
  private let units: [[UInt8]]
  private let routes: Int

  /// - Parameter units: units that were recorded; empty: octets are random.
  init(seed: UInt64, units: [[UInt8]], routes: Int) {
    stream = RandomStream(seed: seed, component: "bug bench", purpose: "plain attacks")
    self.units = units
    self.routes = max(1, routes)
  }

  private mutating func below(_ bound: Int) -> Int { Int(stream.below(UInt64(bound))) }

  mutating func next() -> Attack {
    Attack(
      (0...below(4)).map { _ in
        let octets = unit()
        if below(4) == 0 { return Attack.Stroke(.replace(below(4)), octets: octets) }
        let span = below(2) == 0 ? 0 : below(400_000_000)
        return Attack.Stroke(.send(after: .nanoseconds(Int64(span)), route: below(routes)), octets: octets)
      })
  }

  private mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
  }

  private mutating func unit() -> [UInt8] {
    guard !units.isEmpty else { return noise(1 + below(below(4) == 0 ? 512 : 64)) }
    var octets = units[below(units.count)]
    for _ in 0...below(4) { change(&octets) }
    return octets
  }

  /// What fuzzers for octets do, with any octet as likely as any other.
  private mutating func change(_ octets: inout [UInt8]) {
    if octets.isEmpty {
      octets = noise(1)
      return
    }
    let place = below(octets.count)
    switch below(8) {
    case 0: octets[place] ^= 1 << UInt8(below(8))
    case 1: octets[place] = UInt8(below(256))
    case 2: octets[place] = [0, 1, 0x7F, 0x80, 0xFF][below(5)]
    case 3: octets[place] &+= UInt8(truncatingIfNeeded: below(71) - 35)
    case 4: octets.removeSubrange(place..<min(octets.count, place + 1 + below(8)))
    case 5: octets.insert(contentsOf: noise(1 + below(8)), at: place)
    case 6: octets += octets[place...]
    default:
      let other = units[below(units.count)]
      octets.replaceSubrange(place..., with: other.dropFirst(below(max(1, other.count))))
    }
  }
}
