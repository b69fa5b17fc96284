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

  /// Nobody is judged by what somebody does of whom the lobby knew nothing: it stays somebody from outside.
  public func joins(_ header: TraceHeader, device: Int) {
    self.header = header
    lobbyOf[device] = nil
  }

  public func read(_ record: TraceRecord) {
    if record.event.isOfApp { readInLobby(record) } else { readOutside(record) }
    // Time passes for those of whom nothing is heard, too.
    if lobbies.count > 1 { for lobby in lobbies { lobby.advance(to: record.instant) } }
  }

  private func readInLobby(_ record: TraceRecord) {
    if let lobby = lobby(of: record.device) { lobbies[lobby].read(record) }
  }

  private func lobby(of device: Int) -> Int? { lobbyOf.indices.contains(device) ? lobbyOf[device] : nil }

  /// What no app was told, asked for or showed. A link of the network tells a lobby at least how late it is.
  private func readOutside(_ record: TraceRecord) {
    switch record.event {
    case .expectation(let text, let holds, let detail, let place):
      expectations.append(
        ExpectationResult(
          text: text, holds: holds, detail: detail, record: record.sequence, instant: record.instant, place: place))
    case .platform(let remark):
      note(remark, record)
      if remark.kind == .appSuspended || remark.kind == .appWoken, let lobby = lobby(of: record.device) {
        lobbies.with(lobby) { $0.runs(record.device, remark.kind == .appWoken, at: record.instant) }
      }
    case .network(.packet), .radio, .step: break
    case .network, .input, .effect, .report, .fault: readInLobby(record)
    }
  }

  /// What nobody reads makes a difference where it shows that something is overdue.
  public func ignores(_ report: AppReport, device: Int, at instant: SimInstant) -> Bool {
    guard let lobby = lobby(of: device) else { return true }
    return lobbies.with(lobby) { $0.ignores(report) } && !lobbies.contains { $0.isOverdue(at: instant) }
  }

  public func promises(_ reports: [String], device: Int) {
    if let lobby = lobby(of: device) { lobbies.with(lobby) { $0.promises(reports, device: device) } }
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
  private var readers: [Listener] = []
  @exclusivity(unchecked) private var earliestDeadline = SimInstant.distantFuture

  init(_ jury: OracleReader.Jury) {
    (state, oracles) = jury
    for number in 0..<TraceKind.limit {
      readers.append(
        Listener.chain(jury.oracles.filter { type(of: $0).interests.contains { Int($0.rawValue) == number } }))
    }
  }

  var endings: [String] { oracles.filter { type(of: $0).judgesEndOnly }.map(\.description.id) }

  func read(_ said: TraceRecord) {
    advance(to: said.instant)
    if said.isPlain { take(said) } else { take(said.plain) }
  }

  func ignores(_ report: AppReport) -> Bool { state.kind(of: report) == .other }

  func promises(_ reports: [String], device: Int) { state.parties[device].promise(reports) }

  func runs(_ device: Int, _ isRun: Bool, at instant: SimInstant) { state.runs(device, isRun, at: instant) }

  func isOverdue(at now: SimInstant) -> Bool { now > earliestDeadline }

  private func take(_ record: TraceRecord) {
    let kind = kind(of: record)
    if kind == .other { return }
    state.apply(record, kind: kind)
    if state.hasNewChance {
      state.hasNewChance = false
      for oracle in oracles { earliestDeadline = min(earliestDeadline, oracle.deadline) }
    }
    let deadline = readers[Int(kind.rawValue)].observe(record)
    if deadline < earliestDeadline { earliestDeadline = deadline }
  }

  private func kind(of record: TraceRecord) -> TraceKind {
    let kind = TraceKind.of(record.event)
    if kind == .otherReport, case .report(let report) = record.event { return state.kind(of: report) }
    return kind
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
      oracle.ledger.settle { state.parties[$0.device].hasSaid($0) }
      var result = oracle.result
      result.openReason = reason(oracle)
      return result
    }
  }

  /// What programs do not report, so that something was not judged; nil: nothing was missing.
  private func reason(_ oracle: any Oracle) -> String? {
    let withheld = oracle.ledger.unsaid
    let unsaid = withheld.isEmpty ? unseen(by: oracle) : withheld
    if unsaid.isEmpty { return nil }
    precondition(unsaid.allSatisfy { $0.words.allSatisfy(type(of: oracle).restsOn.contains) })
    let grounds = unsaid.map { words in
      ReportGrounds(words.words.map { ReportGrounds.Sayer(device: words.device, word: $0) })
    }
    return ReportGrounds.text(grounds) { state.header.name(of: $0) }
  }
}

extension LobbyJury {
  /// What programs have never said of that by which an oracle sees them, where there was something to say.
  fileprivate func unseen(by oracle: any Oracle) -> [UnsaidWords] {
    type(of: oracle).sees.flatMap { seen -> [UnsaidWords] in
      guard state.parties.contains(where: { $0.hasSaid(seen.occasion) }) else { return [] }
      return state.parties.filter { !$0.links.isEmpty && (seen.role ?? $0.role) == $0.role }
        .flatMap { $0.unsaid(seen.word) }
    }
  }
}

/// Who reads records of one kind: nobody, or an oracle and those that read them after it. Each hands the record on,
/// which counts no reference: a list of them would, for each oracle and record.
private class Listener {
  static func chain(_ oracles: [any Oracle]) -> Listener {
    oracles.reversed().reduce(Listener()) { next, oracle in ListeningOracle(oracle, next) }
  }

  /// - Returns: the earliest of their deadlines.
  func observe(_ record: TraceRecord) -> SimInstant { .distantFuture }
}

private final class ListeningOracle: Listener {
  private let oracle: any Oracle
  private let next: Listener

  init(_ oracle: any Oracle, _ next: Listener) { (self.oracle, self.next) = (oracle, next) }

  override func observe(_ record: TraceRecord) -> SimInstant {
    oracle.observe(record)
    return min(oracle.deadline, next.observe(record))
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
    assert(id == other.id, "each lobby has the same oracles in the same order")
    judged += other.judged
    open += other.open
    findings = (findings + other.findings).sorted { ($0.instant, $0.record ?? 0) < ($1.instant, $1.record ?? 0) }
    let reasons = [openReason, other.openReason].compactMap(\.self)
    openReason = reasons.isEmpty ? nil : reasons.joined(separator: ", ")
    suppressedFindings += other.suppressedFindings + max(0, findings.count - OracleLedger.findingLimit)
    findings.removeLast(max(0, findings.count - OracleLedger.findingLimit))
    settle()
  }
}

extension Oracle {
  /// What this oracle says now.
  var result: OracleResult {
    let description = description
    return OracleResult(ledger, id: description.id, claim: description.claim, clause: description.clause)
  }
}
