import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Every client shows the phase, the turn, the lines and the ranking that its host shows, before its link has been able
/// to carry them for `Bounds.gameSettles` since it showed them last. Before the game, a client shows the phase that
/// follows from the roles that it was told.
///
/// A client is wrong to whose app has come what it does not show; a host is wrong that has not told it. What was told
/// and has not come is neither's fault.
package final class ClientsShowTheGame: BabOracle {
  package static let id = "ClientsShowTheGame"
  package static let claim = "Once traffic settles, every client shows the phase, turn, lines and ranking of its host."
  package static let clause = "BAB 1.3"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["phase", "turn", "committed", "leaderboard", "historyReplaced"]
  package static let interests: [TraceKind] = [
    .session, .turn, .history, .leaderboard, .roster, .link, .fault, .launched, .value, .transmit,
  ]

  private enum Field: Int, CaseIterable {
    case phase, turn, lines, ranking

    var word: String { ["phase", "turn", "committed", "leaderboard"][rawValue] }
    var clause: String { ["BAB 1.3", "BAB 1.3", "BAB 5.4.7", "BAB 6.8"][rawValue] }
  }

  /// What one app shows of its game, beside its phase and its turn.
  private struct Screen {
    var lines = 0
    var hash = FNV1a.basis
    var newest: String?
    var ranking: [LeaderboardRow]?
    /// When it showed its phase.
    var phaseAt = SimInstant.zero
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  private var screens: [Screen]
  /// By device, then by field; nil while the app shows what it must.
  private var divergences: [[Obligation?]]
  /// How many of them there are.
  private var divergent = 0

  package init(state: BabRunState) {
    self.state = state
    screens = Array(repeating: Screen(), count: state.devices.count)
    divergences = state.devices.map { _ in Field.allCases.map { _ in nil } }
  }

  package var deadline: SimInstant {
    divergent == 0 ? .distantFuture : divergences.reduce(.distantFuture) { min($0, $1.deadline) }
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    if case .input(.valueReceived) = record.event {
      // What a client was told of roles changes what it shows before a game.
      if device.role == .client, !Self.isGame(device.phase) { settle(.phase, device, record) }
      return
    }
    note(record, device)
    if case .effect = record.event {
      if !state.news.isEmpty, !Self.isGame(device.phase) { settle(.phase, device, record) }
      return
    }
    if device.role == .host { settle(.phase, device, record) }
    for app in state.devices where app.role == .client && (app === device || device.role == .host) {
      for field in Field.allCases { settle(field, app, record) }
    }
  }

  /// Takes in what an app shows.
  private func note(_ record: TraceRecord, _ device: BabDevice) {
    let index = device.index
    switch record.bab {
    case .input(.launched): screens[index] = Screen()
    case .report(.phase):
      screens[index].phaseAt = record.instant
      // What a host tells of it may wait for its links.
      if device.role == .host { set(nil, index, Field.phase.rawValue) }
    case .report(.committed(let place, let id, _)):
      if device.isSolo { return }
      if place == 0 { (screens[index].lines, screens[index].hash) = (0, FNV1a.basis) }
      add(id, index)
    case .report(.historyReplaced(let ids)):
      (screens[index].lines, screens[index].hash) = (0, FNV1a.basis)
      for id in ids { add(id, index) }
    case .report(.leaderboard(let rows)): screens[index].ranking = rows
    default: break
    }
  }

  private func add(_ id: String, _ index: Int) {
    screens[index].lines += 1
    screens[index].hash = FNV1a.hash(id.utf8, after: screens[index].hash)
    screens[index].newest = id
  }

  private static func isGame(_ phase: String) -> Bool { phase == "ACTIVE" || phase == "VOTING" || phase == "FINISHED" }

  // MARK: What must be shown

  /// What an app shows otherwise than it must, in words; nil: nothing, or nothing can be asked of it.
  private func difference(_ field: Field, _ app: BabDevice) -> (expected: String, actual: String)? {
    // What a captured app shows is what its packets say.
    if app.isCaptured { return nil }
    if app.role == .host { return field == .phase ? phaseBeforeGame(of: app) : nil }
    guard let host = state.host(of: app), !host.isForeign, state.isMember(app, of: host), !app.isSolo,
      let link = state.link(of: app)
    else { return nil }
    guard Self.isGame(host.phase) else {
      return field == .phase ? phaseBeforeGame(app, link) : nil
    }
    let (own, its) = (screens[app.index], screens[host.index])
    switch field {
    case .phase:
      if app.phase == host.phase { return nil }
      // A client that comes back in a vote need not show it; and a client that was told of it counts votes itself
      // (BAB 5.5.5): which of the two counts wrongly is not for this oracle to say.
      if host.phase == "VOTING", app.phase == "ACTIVE", link.openedAt >= its.phaseAt || isToldOfVote(app) {
        return nil
      }
      return ("phase \(host.phase), as its host", "phase \(app.phase)")
    case .turn:
      if app.turn == host.turn { return nil }
      return ("the turn of \(host.turn ?? "nobody"), as its host", "of \(app.turn ?? "nobody")")
    case .lines:
      if own.lines == its.lines, own.hash == its.hash { return nil }
      return (
        "the \(its.lines) lines of its host, the last \(its.newest ?? "none")",
        "\(own.lines) lines, the last \(own.newest ?? "none")"
      )
    case .ranking:
      guard let rows = its.ranking, !Self.contains(own.ranking, rows, of: host) else { return nil }
      return ("the ranking of its host, \(Self.text(rows))", own.ranking.map(Self.text) ?? "no ranking")
    }
  }

  /// Whether a ranking is that of a host, with nobody beside it but who has come since it was shown.
  private static func contains(_ shown: [LeaderboardRow]?, _ rows: [LeaderboardRow], of host: BabDevice) -> Bool {
    guard let shown else { return false }
    if shown == rows { return true }
    let players = rows.map(\.player)
    let newcomers = (host.roster ?? host.lobby?.players ?? []).filter { !players.contains($0) }
    let rest = shown.filter { !newcomers.contains($0.player) }
    return rest.map(\.player) == players && rest.map(\.score) == rows.map(\.score)
  }

  private static func text(_ rows: [LeaderboardRow]) -> String {
    rows.map { "\($0.player) \($0.score)" }.joined(separator: ", ")
  }

  /// What a client shows before a game follows from what it was told on the first link of its session. Spec: BAB 5.3.7.
  private func phaseBeforeGame(_ client: BabDevice, _ link: LinkState) -> (expected: String, actual: String)? {
    guard state.isFirst(link.id, of: client), let peerID = client.peerID, let mirror = state.heard(client, on: link.id),
      mirror.roster.contains(peerID), !mirror.isStarted, !mirror.isOver
    else { return nil }
    return phase(mirror.roles, peerID, client)
  }

  /// What a host shows before a game follows from what it has told of roles, as far as that is all. Spec: BAB 5.3.7.
  private func phaseBeforeGame(of host: BabDevice) -> (expected: String, actual: String)? {
    guard ["LOBBY", "ROLE_SELECTION", "WAITING"].contains(host.phase), !host.isSolo, let peerID = host.peerID,
      let story = state.stories[host.index], !story.isUnclear, !story.isWaiting, story.book.areRolesKnown,
      story.book.phase == .unknown, story.book.roster.contains(peerID), story.book.returned.isEmpty
    else { return nil }
    return phase(story.book.roles, peerID, host)
  }

  private func phase(
    _ roles: [String: TableBook.Seat], _ peerID: String, _ app: BabDevice
  ) -> (expected: String, actual: String)? {
    let phase = roles[peerID]?.isReady ?? false ? "WAITING" : roles.isEmpty ? "LOBBY" : "ROLE_SELECTION"
    if app.phase == phase { return nil }
    let why = phase == "WAITING" ? "it is ready" : roles.isEmpty ? "nobody has a role" : "\(roles.count) have roles"
    return ("phase \(phase), since \(why)", "phase \(app.phase)")
  }

  // MARK: In time

  /// What differs counts as long as the app has not once shown what its host did: a link that has carried all has told
  /// it the newest, however often that changed.
  private func settle(_ field: Field, _ app: BabDevice, _ record: TraceRecord) {
    let (index, place) = (app.index, field.rawValue)
    guard difference(field, app) != nil else {
      if divergences[index][place] != nil { ledger.judged += 1 }
      set(nil, index, place)
      return
    }
    if divergences[index][place] != nil { return }
    let chance = app.role == .host ? app.links.last(where: \.isUp)?.chance : state.link(of: app)?.chance
    let isBeforeGame = field == .phase && !Self.isGame(app.phase)
    let bound =
      field == .phase && app.phase == "VOTING"
      ? Bounds.voteEnds : isBeforeGame && app.role == .client ? Bounds.phaseFollows : Bounds.gameSettles
    set(chance.map { Obligation($0, within: bound, from: record.instant) }, index, place)
  }

  private func set(_ obligation: Obligation?, _ index: Int, _ place: Int) {
    if divergences[index][place] != nil { divergent -= 1 }
    if obligation != nil { divergent += 1 }
    divergences[index][place] = obligation
  }

  package func expire(at now: SimInstant) {
    for app in state.devices {
      for field in Field.allCases {
        guard let divergence = divergences[app.index][field.rawValue], divergence.isDue(at: now) else { continue }
        guard let (expected, actual) = difference(field, app) else {
          set(nil, app.index, field.rawValue)
          continue
        }
        divergences[app.index][field.rawValue]?.report()
        fail(field, app, divergence, expected, actual)
      }
    }
  }

  private func fail(_ field: Field, _ app: BabDevice, _ due: Obligation, _ expected: String, _ actual: String) {
    guard let host = app.role == .host ? app : state.host(of: app) else { return }
    let isBeforeGame = !Self.isGame(host.phase)
    let clause = isBeforeGame ? "BAB 5.3.7" : field.clause
    let unsaid =
      app.unsaid(field.word) + host.unsaid(field.word)
      + (field == .lines ? app.unsaid("historyReplaced") : [])
    if isBeforeGame || hasHeard(field, app, host) {
      ledger.fail(
        at: due.deadline, device: app.index, since: due.since, clause: clause, unless: unsaid, expected: expected,
        actual: actual)
    } else if !hasTold(field, app, host) {
      ledger.fail(
        at: due.deadline, device: host.index, peer: app.index, since: due.since, clause: clause, unless: unsaid,
        expected: "\(app.name) told: \(expected)",
        actual: "nothing of it was sent to \(app.name), which shows \(actual)")
    }
  }

  private func isToldOfVote(_ client: BabDevice) -> Bool {
    state.heard(client)?.hasVote ?? false
  }

  /// Whether what its host shows has come to a client's app, all of it.
  private func hasHeard(_ field: Field, _ client: BabDevice, _ host: BabDevice) -> Bool {
    guard let mirror = state.heard(client) else { return false }
    return says(field, mirror, host) && (field != .lines || mirror.lineCount == screens[host.index].lines)
  }

  /// Whether a host has sent a client the newest of what it shows, as far as that can be known.
  private func hasTold(_ field: Field, _ client: BabDevice, _ host: BabDevice) -> Bool {
    guard let partner = state.link(of: client)?.partner, let mirror = state.stories[host.index]?.mirror(partner.id)
    else { return true }
    return says(field, mirror, host)
  }

  private func says(_ field: Field, _ mirror: TableMirror, _ host: BabDevice) -> Bool {
    switch field {
    case .phase:
      host.phase == "FINISHED" ? mirror.isOver : host.phase == "VOTING" ? mirror.hasVote : mirror.isStarted
    case .turn: mirror.isOver || mirror.turn == host.turn
    case .lines: mirror.newestLine == screens[host.index].newest
    case .ranking: screens[host.index].ranking.map { Self.contains(mirror.ranking, $0, of: host) } ?? true
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open = divergences.reduce(0) { $0 + $1.openCount } }
}
