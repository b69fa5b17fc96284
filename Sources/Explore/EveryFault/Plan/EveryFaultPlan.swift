package import Bench
import Shrink
package import SimKernel

/// All worlds of a scenario with a fault in it, by number: each kind of fault at each place to each device, one in a
/// world, and after them as many pairs as anybody wants.
///
/// A world depends on the plan and its number, nothing else.
package struct EveryFaultPlan: Sendable {
  package let base: BaseScenario
  package let seed: UInt64
  package let places: [Place]
  /// Which faults there are, device by device.
  package let choices: [(device: Int, kind: FaultKind)]
  /// When the undisturbed run ends.
  package let end: SimInstant
  /// How long a world goes on after the last thing that was done in it, so that every claim of its oracles is due.
  package let margin: SimDuration
  private let arrivals: [(instant: SimInstant, device: Int, peer: Int)]
  /// From one rank to the next.
  private let stride: Int
  package var scenario: Scenario { base.scenario }
  package var names: [String] { scenario.devices.map(\.name) }

  /// - Parameters:
  ///   - kinds: only these.
  ///   - arrivals: packets that were received in the undisturbed run.
  package init(
    _ base: BaseScenario, seed: UInt64, places: [Place], arrivals: [(instant: SimInstant, device: Int, peer: Int)],
    end: SimInstant, margin: SimDuration, kinds: [FaultKind] = FaultKind.allCases
  ) {
    self.base = base
    self.seed = seed
    self.places = places
    self.arrivals = arrivals
    self.end = end
    self.margin = margin
    let devices = base.scenario.devices
    let hasSpokes = devices.contains { !$0.leads }
    choices = devices.indices.flatMap { device in
      FaultKind.all(for: devices[device], in: base.scenario, isHub: devices[device].leads && hasSpokes)
        .filter(kinds.contains).map { (device, $0) }
    }
    stride = EvenOrder.stride(of: places.count * choices.count)
  }

  /// How long a fault lasts at most.
  package static let longestFault = SimDuration.seconds(40)
  /// The second fault of a pair comes at most so long after the first.
  private static let pairSpan = SimDuration.seconds(20)
  /// Nothing is late by more: a supervision timeout is longer.
  private static let latest = SimDuration.milliseconds(1_000)
  /// A delivery, where there is no other link whose deliveries could be counted: one connection event of a usual
  /// interval (30 ms) and a half.
  private static let oneDelivery = SimDuration.milliseconds(45)

  /// Worlds with one fault.
  package var singles: Int { places.count * choices.count }

  /// The number of the world at a rank. The first so many worlds are spread evenly over places and faults, wherever a
  /// budget cuts them off.
  package func number(atRank rank: Int) -> Int {
    if rank >= singles { return rank }
    let product = UInt64(rank).multipliedFullWidth(by: UInt64(stride))
    return Int(UInt64(singles).dividingFullWidth((product.high, product.low)).remainder)
  }

  /// What is done in a world.
  package func world(_ number: Int) -> Disturbance {
    let faults = number < singles ? [single(number)] : pair(number)
    return Disturbance(number, faults, faults.flatMap(deeds), end: end, margin: margin)
  }

  private func single(_ number: Int) -> PlacedFault {
    let choice = choices[number % choices.count]
    return PlacedFault(place: number / choices.count, device: choice.device, kind: choice.kind)
  }

  /// The second fault comes at a place of the undisturbed run, too, which in the disturbed one is any instant.
  private func pair(_ number: Int) -> [PlacedFault] {
    var stream = RandomStream(seed: seed, component: "every fault", purpose: "pair \(number - singles)")
    let first = Int(stream.below(UInt64(places.count)))
    let limit = places[first].instant + Self.pairSpan
    let last = places.lastIndex { $0.instant <= limit } ?? first
    let second = first + Int(stream.below(UInt64(last - first + 1)))
    return [first, second].map { place in
      let choice = choices[Int(stream.below(UInt64(choices.count)))]
      return PlacedFault(place: place, device: choice.device, kind: choice.kind)
    }
  }

  // MARK: What is done

  private func deeds(of fault: PlacedFault) -> [Disturbance.Deed] {
    let start = places[fault.place].instant
    func deed(_ instant: SimInstant, _ action: YAMLTree) -> Disturbance.Deed {
      Disturbance.Deed(instant: instant, device: names[fault.device], action: action)
    }
    func word(_ text: String) -> YAMLTree { YAMLTree(text: text) }
    if let words = fault.kind.words {
      return [deed(start, word(words.begins)), deed(start + absence(fault), word(words.ends))]
    }
    let beginning = base.beginnings[fault.device]
    switch fault.kind {
    case .kill:
      let back = [word("relaunch")] + (beginning.map { [$0] } ?? [])
      return [deed(start, word("kill")), deed(start + absence(fault), YAMLTree(.sequence(back)))]
    case .leave:
      return [deed(start, word("leave"))] + (beginning.map { [deed(start + absence(fault), $0)] } ?? [])
    case .late1, .late2, .late3:
      let span = YAMLTree(text: BaseScenario.words(lateness(fault, from: start)))
      return [deed(start, YAMLTree(entries: [("cover link", YAMLTree(entries: [("for", span)]))]))]
    default: return [deed(start, word("disconnect"))]
    }
  }

  /// How long a device is away: from less than anybody notices to longer than anybody waits.
  private func absence(_ fault: PlacedFault) -> SimDuration {
    var stream = RandomStream(
      seed: seed, component: "every fault", purpose: "\(fault.place) \(fault.device) \(fault.kind.rawValue)")
    let shortest = [300, 1_000, 3_000, 8_000, 20_000][Int(stream.below(5))]
    return .milliseconds(Int64(shortest) + stream.within(0...Int64(shortest) - 1))
  }

  /// Until so many packets have reached others over other links.
  private func lateness(_ fault: PlacedFault, from start: SimInstant) -> SimDuration {
    let count = fault.kind.lateness ?? 1
    let others = arrivals.lazy.filter {
      $0.instant > start && $0.device != fault.device && $0.peer != fault.device
    }
    guard let last = others.prefix(count).map(\.instant).last else { return Self.oneDelivery * Int64(count) }
    return min(last - start + .milliseconds(1), Self.latest)
  }
}
