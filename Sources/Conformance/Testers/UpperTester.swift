import BabSim
import BluetoothWire
import SimKernel

/// The implementation under test seen from above: what its user does with it, and what it shows and asks for.
///
/// What it shows are its reports; an implementation that claims neither `screen` nor `refusals` may show nothing, so a
/// purpose that reads them names the item in `needs`.
final class UpperTester {
  let index: Int
  let role: AppRole
  unowned var bed: TestBed!
  private(set) var engine: (any AppEngine)?
  private var engines: [any FallibleEngine] = []

  /// Everything since the newest launch, in trace order.
  private(set) var reports: [(record: Int, instant: SimInstant, report: AppReport)] = []
  private(set) var effects: [(record: Int, instant: SimInstant, effect: AppEffect)] = []
  private(set) var inputs: [(record: Int, instant: SimInstant, input: AppInput)] = []

  init(index: Int, role: AppRole) {
    self.index = index
    self.role = role
  }

  /// `peer-iut`.
  var peerID: String { "peer-iut" }
  var address: BluetoothAddress { bed.world.header.devices[index].address }

  /// The first breakdown of the case, whichever launch of the app it was.
  var failure: IUTFailure? {
    for engine in engines { if let failure = engine.failure { return failure } }
    return nil
  }

  func launched(_ engine: any AppEngine) {
    closeAll()
    self.engine = engine
    if let fallible = engine as? any FallibleEngine { engines.append(fallible) }
  }

  /// What all launches of the app wrote for people.
  var log: String { engines.map(\.log).joined() }

  /// Ends every process of the case.
  func closeAll() {
    for engine in engines { engine.close() }
  }

  func observe(_ record: TraceRecord) {
    switch record.event {
    case .report(let report): reports.append((record.sequence, record.instant, report))
    case .effect(let effect): effects.append((record.sequence, record.instant, effect))
    case .input(.launched):
      reports.removeAll()
      effects.removeAll()
      inputs = [(record.sequence, record.instant, .launched)]
    case .input(let input): inputs.append((record.sequence, record.instant, input))
    default: break
    }
  }

  // MARK: Hands

  /// The user does something.
  func user(_ action: UserAction) {
    bed.step("IUT's user: \(action)")
    bed.world.act(action, device: index)
  }

  /// Something happens to the device the implementation runs on.
  func suffers(_ fault: Step.Fault, _ text: String) {
    bed.step("IUT: \(text)")
    bed.world.apply(fault, device: index)
  }

  // MARK: Screen

  func last<Value>(_ pick: (AppReport) -> Value?) -> Value? {
    for entry in reports.reversed() { if let value = pick(entry.report) { return value } }
    return nil
  }

  var phase: String? { last { if case .phase(let phase) = $0 { phase } else { nil } } }
  var linkState: String? { last { if case .linkState(let state) = $0 { state } else { nil } } }
  var roster: [String]? { last { if case .roster(let roster) = $0 { roster } else { nil } } }
  var lobby: LobbyView? { last { if case .lobby(let lobby) = $0 { lobby } else { nil } } }
  var turn: String? { last { if case .turn(let player) = $0 { .some(player) } else { nil } } ?? nil }
  var screenLine: ScreenLine? { last { if case .screen(let line) = $0 { line } else { nil } } }
  var leaderboard: [LeaderboardRow]? { last { if case .leaderboard(let rows) = $0 { rows } else { nil } } }
  var summary: SummaryView? { last { if case .summary(let summary) = $0 { summary } else { nil } } }
  var ending: String? { last { if case .sessionEnded(let reason) = $0 { reason } else { nil } } }
  var hasResumed: Bool { reports.contains { $0.report == .resumed } }

  /// The role a player has as far as the implementation shows it.
  func role(of player: String) -> String? {
    last { if case .role(player, let role) = $0 { role } else { nil } }
  }

  func isReady(_ player: String) -> Bool {
    last { if case .ready(player, let isReady) = $0 { isReady } else { nil } } ?? false
  }

  /// The history as the reports tell it: ids in order.
  var history: [String] {
    var lines: [String] = []
    for entry in reports {
      if case .committed(_, let id, _) = entry.report { lines.append(id) }
      if case .historyReplaced(let ids) = entry.report { lines = ids }
    }
    return lines
  }

  /// Clauses that the implementation says a peer broke.
  var violations: [String] {
    reports.compactMap { if case .violation(_, let rule, _) = $0.report { rule } else { nil } }
  }

  /// What it says it refused.
  var refusals: [String] {
    reports.compactMap { if case .refused(_, let reason) = $0.report { reason } else { nil } }
  }

  /// Links that are up, oldest first, as the platform told the app.
  var links: [LinkID] {
    var links: [LinkID] = []
    for entry in inputs {
      if case .connected(let link, _) = entry.input { links.append(link) }
      if case .disconnected(let link, _) = entry.input { links.removeAll { $0 == link } }
    }
    return links
  }

  /// The record of the first thing it asked for, behind a record, for which the condition holds.
  func asked(after record: Int = -1, for condition: (AppEffect) -> Bool) -> Int? {
    effects.first { $0.record > record && condition($0.effect) }?.record
  }

  /// The record of the newest thing it was told for which the condition holds.
  func lastTold(_ condition: (AppInput) -> Bool) -> Int? { inputs.last { condition($0.input) }?.record }

  /// What it advertises at present; nil when it does not.
  var advertisement: AdvertisementRequest? {
    for entry in effects.reversed() {
      if case .advertise(let request) = entry.effect { return request }
      if case .stopAdvertising = entry.effect { return nil }
    }
    return nil
  }

  /// Whether it scans at present.
  var isScanning: Bool {
    for entry in effects.reversed() {
      if case .scan = entry.effect { return true }
      if case .stopScanning = entry.effect { return false }
    }
    return false
  }
}
