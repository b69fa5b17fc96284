import AppSeam
import BeamScribe
import SimKernel

/// One engine with its timers, on a platform that takes what it sends.
final class DeviceBed {
  let engine: any AppEngine
  private(set) var now: SimInstant
  private(set) var timers: [(id: TimerID, at: SimInstant)] = []
  /// All effects, with their instants.
  private(set) var log: [(at: SimInstant, effect: AppEffect)] = []
  private(set) var kept: [UInt8]
  /// What was taken of each stream.
  private(set) var taken: [ConnectionID: [UInt8]] = [:]
  /// Streams on which the platform has no room.
  var full: Set<ConnectionID> = []
  /// Called with each effect before it is performed; what returns true is performed by somebody else.
  var performs: ((AppEffect) -> Bool)?

  init(
    _ role: AppRole, dialect: DialectName = .beamNetwork, kept: [UInt8] = [], name: String = "Keynote 2026",
    start: SimInstant = .zero,
    adjust: (inout BeamConfiguration) -> Void = { _ in }
  ) {
    now = start
    self.kept = kept
    var configuration = BeamConfiguration(dialect: dialect, peerID: role.rawValue, displayName: name)
    configuration.kept = kept
    adjust(&configuration)
    engine = BeamEngines.reference(role, configuration)
  }

  /// The same, launched.
  static func launched(
    _ role: AppRole, dialect: DialectName = .beamNetwork, kept: [UInt8] = [],
    adjust: (inout BeamConfiguration) -> Void = { _ in }
  ) -> DeviceBed {
    let bed = DeviceBed(role, dialect: dialect, kept: kept, adjust: adjust)
    bed.feed(.launched)
    return bed
  }

  /// Answers of the platform that have not been fed yet.
  private var inbox: [AppInput] = []
  private var isFeeding = false

  /// Feeds an input and performs what comes of it; returns all effects.
  @discardableResult
  func feed(_ input: AppInput) -> [AppEffect] {
    inbox.append(input)
    if isFeeding { return [] }
    isFeeding = true
    defer { isFeeding = false }
    var all: [AppEffect] = []
    while !inbox.isEmpty {
      let effects = engine.handle(inbox.removeFirst(), at: now)
      all += effects
      log += effects.map { (now, $0) }
      for effect in effects where !(performs?(effect) ?? false) { perform(effect) }
    }
    return all
  }

  @discardableResult func feed(_ input: NetworkInput) -> [AppEffect] { feed(.network(input)) }
  @discardableResult func feed(_ action: BeamAction) -> [AppEffect] { feed(.user(action)) }

  private func perform(_ effect: AppEffect) {
    switch effect {
    case .setTimer(let id, let at):
      timers.removeAll { $0.id == id }
      timers.append((id, at))
    case .cancelTimer(let id): timers.removeAll { $0.id == id }
    case .keep(let octets): kept = octets
    case .keepMore(let octets): kept += octets
    case .network(.send(let id, let octets)):
      let isTaken = !full.contains(id)
      if isTaken { taken[id, default: []] += octets }
      feed(.submitted(id, accepted: isTaken))
    case .network(.cancel(let id)): feed(.cancelled(id))
    default: break
    }
  }

  /// The next timer's instant.
  var due: SimInstant? { timers.map(\.at).min() }

  /// Lets time pass, and fires what is due in it.
  @discardableResult
  func run(to instant: SimInstant) -> [AppEffect] {
    var effects: [AppEffect] = []
    while let due, due <= instant {
      now = max(now, due)
      let index = timers.firstIndex { $0.at == due }!
      let timer = timers.remove(at: index)
      effects += feed(.timer(timer.id))
    }
    now = max(now, instant)
    return effects
  }

  @discardableResult
  func run(for duration: SimDuration) -> [AppEffect] { run(to: now + duration) }

  // MARK: What was seen

  var reports: [BeamReport] { log.compactMap(\.effect.beam) }
  var states: [String] {
    reports.compactMap { report in
      if case .state(let state) = report { return state }
      return nil
    }
  }
  var network: [NetworkEffect] { log.compactMap(\.effect.network) }

  /// The packets that the platform took of a stream.
  func packets(_ id: ConnectionID, _ format: Frame.Format = .length) throws -> [BeamPacket] {
    var reader = FrameReader(format)
    var piece = taken[id, default: []][...]
    var packets: [BeamPacket] = []
    while let frame = try reader.next(&piece) {
      if frame.kind == .message { packets.append(try BeamPacket(decoding: frame.body)) }
    }
    return packets
  }
}

extension AppEffect {
  var network: NetworkEffect? {
    if case .network(let effect) = self { return effect }
    return nil
  }
}

extension [AppEffect] {
  var network: [NetworkEffect] { compactMap(\.network) }
  var reports: [BeamReport] { compactMap(\.beam) }
}

/// Seconds and thousandths, for short tests.
func at(_ seconds: Int64, _ milliseconds: Int64 = 0) -> SimInstant {
  .zero + .seconds(seconds) + .milliseconds(milliseconds)
}
