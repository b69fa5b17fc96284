import AppSeam
import Bench
package import SimKernel

/// What the worlds of a plan came to: counts for the matrix, and each cause once.
package struct FaultTally: Sendable {
  /// Worlds of a cell of the matrix.
  package struct Count: Hashable, Sendable {
    package var judged = 0
    package var failed = 0
  }

  /// A cause, with the first of the worlds that showed it.
  package struct Discovery: Sendable {
    package var cause: FaultCause
    /// What was seen in the first world.
    package var text: String
    /// The number of the first world; nil: the undisturbed run shows it.
    package var world: Int?
    /// Worlds that showed it.
    package var count = 1
    /// Faults that showed it, by `FaultKind`.
    package var kinds: [FaultKind] = []
  }

  private let plan: EveryFaultPlan
  /// Rows of the matrix: what happens at a place to which device.
  package let rows: [(kind: Place.Kind, device: Int)]
  /// Columns of the matrix: which fault of a device in which role.
  package let columns: [(kind: FaultKind, role: String)]
  /// Row by row.
  package private(set) var cells: [Count]
  private let rowOf: [Int]
  package private(set) var worlds = 0
  package private(set) var pairs = 0
  package private(set) var failed = 0
  /// Worlds in which no oracle judged anything: they have shown nothing.
  package private(set) var unjudged = 0
  package private(set) var events = 0
  /// Places with at least one world.
  private var isPlayed: [Bool]
  package var placesPlayed: Int { isPlayed.count { $0 } }
  package private(set) var discoveries: [Discovery] = []
  /// Over the digests of all worlds, in the order in which they were played.
  package private(set) var digest = TraceDigest()

  init(_ plan: EveryFaultPlan) {
    self.plan = plan
    let devices = plan.scenario.devices
    let all = Place.Kind.allCases.enumerated().flatMap { kind in devices.indices.map { (kind.element, $0) } }
    var isThere = all.map { _ in false }
    for place in plan.places {
      for happening in place.happenings { isThere[Self.index(happening, devices.count)] = true }
    }
    var rowOf = all.map { _ in -1 }
    var rows: [(Place.Kind, Int)] = []
    for index in all.indices where isThere[index] {
      rowOf[index] = rows.count
      rows.append(all[index])
    }
    var columns: [(FaultKind, String)] = []
    for kind in FaultKind.allCases {
      for choice in plan.choices where choice.kind == kind {
        let role = devices[choice.device].role.rawValue
        if !columns.contains(where: { $0.0 == kind && $0.1 == role }) { columns.append((kind, role)) }
      }
    }
    self.rowOf = rowOf
    self.rows = rows.map { (kind: $0.0, device: $0.1) }
    self.columns = columns.map { (kind: $0.0, role: $0.1) }
    cells = Array(repeating: Count(), count: rows.count * columns.count)
    isPlayed = plan.places.map { _ in false }
  }

  private static func index(_ happening: Place.Happening, _ devices: Int) -> Int {
    (Place.Kind.allCases.firstIndex(of: happening.kind) ?? 0) * devices + happening.device
  }

  /// Takes what the undisturbed run shows; none of it counts for a fault.
  package mutating func addUndisturbed(_ world: FaultedWorld) {
    for sighting in world.sightings {
      discoveries.append(Discovery(cause: sighting.cause, text: sighting.text, world: nil, count: 0))
    }
  }

  mutating func add(_ disturbance: Disturbance, _ world: FaultedWorld) {
    worlds += 1
    events += world.events
    unjudged += world.isJudged ? 0 : 1
    digest.combine(UInt64(disturbance.number))
    digest.combine(text: world.digest)
    for sighting in world.sightings { digest.combine(text: sighting.cause.text) }
    for sighting in world.sightings { note(sighting, disturbance) }
    let known = discoveries.filter { $0.world == nil }.map(\.cause)
    let isFailed = world.sightings.contains { !known.contains($0.cause) }
    failed += isFailed ? 1 : 0
    for fault in disturbance.faults { isPlayed[fault.place] = true }
    if disturbance.faults.count > 1 { return pairs += 1 }
    count(disturbance.faults[0], isFailed: isFailed)
  }

  private mutating func count(_ fault: PlacedFault, isFailed: Bool) {
    let devices = plan.scenario.devices
    let role = devices[fault.device].role.rawValue
    guard let column = columns.firstIndex(where: { $0.kind == fault.kind && $0.role == role }) else { return }
    var seen: [Int] = []
    for happening in plan.places[fault.place].happenings {
      let row = rowOf[Self.index(happening, devices.count)]
      if seen.contains(row) { continue }
      seen.append(row)
      cells[row * columns.count + column].judged += 1
      cells[row * columns.count + column].failed += isFailed ? 1 : 0
    }
  }

  private mutating func note(_ sighting: FaultedWorld.Sighting, _ disturbance: Disturbance) {
    let kinds = disturbance.faults.map(\.kind)
    guard let index = discoveries.firstIndex(where: { $0.cause == sighting.cause }) else {
      discoveries.append(
        Discovery(cause: sighting.cause, text: sighting.text, world: disturbance.number, kinds: kinds.uniqued))
      return
    }
    discoveries[index].count += 1
    discoveries[index].kinds = (discoveries[index].kinds + kinds).uniqued
    if let first = discoveries[index].world, first > disturbance.number {
      (discoveries[index].world, discoveries[index].text) = (disturbance.number, sighting.text)
    }
  }
}

extension [FaultKind] {
  /// Each once, in the order of all kinds.
  fileprivate var uniqued: [FaultKind] { FaultKind.allCases.filter(contains) }
}
