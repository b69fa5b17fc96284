public import AppSeam
public import Bench
import Judging
import Platform
public import SimKernel
import VirtualNetwork

/// Runs all oracles over one trace in one pass, in memory that does not grow with the length of the run.
///
/// Each lobby is judged on its own: what devices of another lobby, or of another protocol, do in the same room is not
/// read, and to its oracles they are somebody from outside. So is an app that reports nothing of what it shows.
///
/// A record costs one switch and one call per oracle that asked for its kind; deadlines cost one comparison.
public final class OracleReader: RunJudge {
  /// The state of a run, and the oracles that read it.
  public typealias Jury = (state: RunState, oracles: [any Oracle])

  private let app: String
  private let makeJury: (TraceHeader) -> Jury
  private let lobbies = Roster<LobbyJury>()
  /// Index in `lobbies`, by device; nil: its app speaks another protocol, or it is hostile.
  private var lobbyOf: [Int?] = []
  private var expectations: [ExpectationResult] = []
  private var remarks: [Judgement.Remark] = []
  private var header = TraceHeader(scenario: "", seed: 0, devices: [], options: [])
  /// What all oracles say; nil until the run is over.
  public private(set) var judgement: Judgement?

  /// - Parameters:
  ///   - app: the protocol that is judged. Nobody says what captured devices speak; they are taken for it.
  ///   - makeJury: called at the beginning of each run, once for each lobby.
  public init(of app: String, _ makeJury: @escaping (TraceHeader) -> Jury) {
    self.app = app
    self.makeJury = makeJury
  }

  public func begin(_ header: TraceHeader) {
    self.header = header
    var names: [String] = []
    lobbyOf = header.devices.map { device in
      guard device.app == nil || device.app == app, !device.isHostile, !device.isMute else { return nil }
      if let index = names.firstIndex(of: device.lobby) { return index }
      names.append(device.lobby)
      return names.count - 1
    }
    lobbies.removeAll()
    for lobby in names.indices {
      lobbies.append(LobbyJury(makeJury(header.seen(by: lobbyOf.map { $0 == lobby }))))
    }
    if lobbies.isEmpty { lobbies.append(LobbyJury(makeJury(header))) }
    expectations = []
    remarks = []
    judgement = nil
  }

  public func read(_ record: TraceRecord) {
    switch record.event {
    case .expectation(let text, let holds, let detail, let place):
      expectations.append(
        ExpectationResult(
          text: text, holds: holds, detail: detail, record: record.sequence, instant: record.instant, place: place))
    case .platform(let remark): note(remark, record)
    case .radio, .network(.packet), .step: break
    default:
      guard lobbyOf.indices.contains(record.device), let lobby = lobbyOf[record.device] else { return }
      lobbies.with(lobby, record) { $0.read($1) }
    }
    // Time passes for those of whom nothing is heard, too.
    if lobbies.count > 1 { for lobby in lobbies { lobby.advance(to: record.instant) } }
  }

  /// What nobody reads makes a difference where it shows that something is overdue.
  public func ignores(_ report: AppReport, device: Int, at instant: SimInstant) -> Bool {
    guard lobbyOf.indices.contains(device), let lobby = lobbyOf[device] else { return true }
    return lobbies.with(lobby) { $0.ignores(report) } && !lobbies.contains { $0.isOverdue(at: instant) }
  }

  public func end(_ outcome: RunOutcome) {
    var results: [OracleResult] = []
    for (index, lobby) in lobbies.enumerated() {
      let own = lobby.finish(outcome)
      if index == 0 {
        results = own
      } else {
        for place in results.indices { results[place].add(own[place]) }
      }
    }
    judgement = Judgement(
      header: header, outcome: outcome, oracles: results, expectations: expectations, remarks: remarks,
      endings: lobbies.first?.endings ?? [])
    lobbies.removeAll()
  }

  /// The first of each kind and device is kept, the others are counted.
  private func note(_ remark: PlatformRemark, _ record: TraceRecord) {
    if let index = remarks.firstIndex(where: { $0.device == record.device && $0.remark.kind == remark.kind }) {
      remarks[index].count += 1
    } else {
      remarks.append(
        Judgement.Remark(
          device: record.device, instant: record.instant, record: record.sequence, remark: remark, count: 1))
    }
  }
}

/// The oracles of one lobby.
private final class LobbyJury {
  private let state: RunState
  private let oracles: [any Oracle]
  /// Oracles by kind of record.
  private let readers = Roster<Audience>()
  @exclusivity(unchecked) private var earliestDeadline = SimInstant.distantFuture

  init(_ jury: OracleReader.Jury) {
    (state, oracles) = jury
    for number in 0..<TraceKind.limit {
      readers.append(
        Audience(jury.oracles.filter { type(of: $0).interests.contains { Int($0.rawValue) == number } }))
    }
  }

  var endings: [String] { oracles.filter { type(of: $0).judgesEndOnly }.map { type(of: $0).id } }

  func read(_ said: TraceRecord) {
    advance(to: said.instant)
    if said.isPlain { take(said) } else { take(said.plain) }
  }

  func ignores(_ report: AppReport) -> Bool { state.kind(of: report) == .other }

  func isOverdue(at now: SimInstant) -> Bool { now > earliestDeadline }

  private func take(_ record: TraceRecord) {
    let kind = if case .report(let report) = record.event { state.kind(of: report) } else { TraceKind(record.event) }
    if kind == .other { return }
    state.apply(record, kind: kind)
    let deadline = readers.with(Int(kind.rawValue), record) { $0.observe($1) }
    if deadline < earliestDeadline { earliestDeadline = deadline }
  }

  func advance(to now: SimInstant) {
    guard isOverdue(at: now) else { return }
    earliestDeadline = .distantFuture
    for oracle in oracles {
      if oracle.deadline < now { oracle.expire(at: now) }
      earliestDeadline = min(earliestDeadline, oracle.deadline)
    }
  }

  func finish(_ outcome: RunOutcome) -> [OracleResult] {
    advance(to: outcome.endInstant)
    return oracles.map { oracle in
      oracle.finish(outcome)
      return oracle.result
    }
  }
}

/// The oracles that read records of one kind, in a list that is gone through without counting references.
private final class Audience {
  private let seats = Roster<Seat>()

  private final class Seat {
    let oracle: any Oracle
    init(_ oracle: any Oracle) { self.oracle = oracle }
  }

  init(_ oracles: [any Oracle]) { for oracle in oracles { seats.append(Seat(oracle)) } }

  /// - Returns: the earliest of their deadlines.
  func observe(_ record: TraceRecord) -> SimInstant {
    var earliest = SimInstant.distantFuture
    for index in 0..<seats.count {
      let deadline = seats.with(index, record) { seat, record in
        seat.oracle.observe(record)
        return seat.oracle.deadline
      }
      if deadline < earliest { earliest = deadline }
    }
    return earliest
  }
}

extension TraceHeader {
  /// The same devices, those of other lobbies and protocols as somebody from outside.
  fileprivate func seen(by own: [Bool]) -> TraceHeader {
    var header = self
    for index in devices.indices where !own[index] { header.devices[index].engine = Self.foreignEngine }
    return header
  }
}

extension OracleResult {
  /// Takes in what the same oracle says of another lobby.
  fileprivate mutating func add(_ other: OracleResult) {
    judged += other.judged
    open += other.open
    findings = (findings + other.findings).sorted { ($0.instant, $0.record ?? 0) < ($1.instant, $1.record ?? 0) }
    suppressedFindings += other.suppressedFindings + max(0, findings.count - OracleLedger.findingLimit)
    findings.removeLast(max(0, findings.count - OracleLedger.findingLimit))
    verdict = OracleResult.verdict(judged: judged, open: open, findings: findings)
  }
}

extension Oracle {
  /// What this oracle says now.
  var result: OracleResult {
    OracleResult(
      id: Self.id, claim: Self.claim, clause: Self.clause,
      verdict: OracleResult.verdict(judged: ledger.judged, open: ledger.open, findings: ledger.findings),
      judged: ledger.judged, open: ledger.open, findings: ledger.findings,
      suppressedFindings: ledger.suppressedFindings)
  }
}
