import AppSeam
import BabSim
import Bench
import CaptureCheck
import Conformance
import Judging
import SimKernel

/// Weighs what oracles say by what captures can show: where evidence is missing nothing is called wrong.
struct BabVerdicts {
  /// Oracles whose findings one packet alone shows, whatever else is missing: neither the ATT_MTU that was exchanged
  /// nor who sent the packet.
  private static let certain = [RosterWithinCapacity.id]
  /// Oracles that rest on who sent what: where packets are missing, some of the others have the wrong direction, and
  /// that shows only later, if at all.
  private static let directed = [FragmentsFitATTMTU.id, OneHostPerLobby.id, VectorClocksNeverGoBack.id]
  /// Oracles whose findings rest on what one capture shows in its own order.
  private static let local = [RosterWithinCapacity.id, FragmentsFitATTMTU.id]

  private let story: BabStory
  private let connections: [EndConnection]
  private let dialects: BabDialects
  private let recorder: EndRecorder
  /// Paths of captures whose clocks are not certain, where several show connections of Bab.
  private let uncertainClocks: [String]

  init(
    _ story: BabStory, _ connections: [EndConnection], _ dialects: BabDialects, _ recorder: EndRecorder,
    _ session: TrafficSession
  ) {
    let files = connections.flatMap(\.tracks).map(\.link.file)
    let isAlone = files.allSatisfy { $0 == files.first }
    uncertainClocks =
      isAlone ? [] : session.uncertainClocks.filter(files.contains).map { session.captures[$0] }
    self.story = story
    self.connections = connections
    self.dialects = dialects
    self.recorder = recorder
  }

  func weigh(_ result: OracleResult) -> OracleResult {
    var result = result
    if !Self.certain.contains(result.id) {
      let isDirected = Self.directed.contains(result.id) && story.missingSince.contains { $0 != nil }
      result.doubt("packets are missing from the captures") { isDirected || isDoubtful($0) }
    }
    if !uncertainClocks.isEmpty, !Self.local.contains(result.id) {
      let names = uncertainClocks.joined(separator: ", ")
      result.doubt("the clock of \(names) is not certain")
    }
    if result.id == NoGhostsAfterSupervisionTimeout.id {
      result.doubt("it comes or goes, and what it forgets when it leaves is not captured", where: comesOrGoes)
    }
    if result.id == OnlyCurrentPlayerCompletes.id { forget(story.unseenPlayers, &result) }
    if result.id == ScoresFollowFormula.id { forget(story.uncountedScores, &result) }
    if result.id == PrivateTextReachesOnlyItsPlayer.id {
      for index in result.findings.indices { blameHost(&result.findings[index]) }
    }
    result.settle()
    if result.verdict == .none, isHindered(result.id) { result.verdict = .inconclusive }
    result.openReason = openReason(result)
    return result
  }

  /// Why something stays open, or was not judged at all.
  private func openReason(_ result: OracleResult) -> String? {
    if result.id == LostSessionsEnd.id, story.undecidedSearches > 0 {
      return "clients still scanned when their session had to be over, and a scan does not say which app wants it"
    }
    let missing = story.missingSince.compactMap(\.self)
    guard let first = missing.min(by: { $0.nanoseconds < $1.nanoseconds }) else {
      return result.open > 0 ? "the captures end before it is due" : nil
    }
    return "packets of \(missing.count) of \(connections.count) connections are missing from the captures, the first "
      + "at \(first.microseconds) s"
  }

  /// Who completed the line of a player whose link no capture shows is not known, and not what the lines that were read
  /// while nobody was told of it are worth.
  private func forget(_ records: [Int], _ result: inout OracleResult) {
    let unseen = result.findings.filter { $0.record.map(records.contains) ?? false }
    if unseen.isEmpty { return }
    result.findings.removeAll(where: unseen.contains)
    result.judged -= unseen.count
    if result.findings.isEmpty {
      result.judged -= result.suppressedFindings
      result.suppressedFindings = 0
    }
  }

  /// Whether something that a finding rests on may have been said in packets that no capture has.
  private func isDoubtful(_ finding: Finding) -> Bool {
    let lobby = host(of: finding.device)
    return connections.contains { connection in
      guard let since = story.missingSince[connection.index], since <= finding.instant else { return false }
      return lobby == nil || story.cast.hosts[connection.index] == lobby
    }
  }

  /// Whether a client had just been linked when the ghost went, was not, or was leaving itself: a person who leaves
  /// clears what the app shows, and no capture has that.
  private func comesOrGoes(_ finding: Finding) -> Bool {
    let margin = Bounds.rosterMargin + Bounds.rosterMargin
    let newest = connections.last { story.cast.clients[$0.index] == finding.device && $0.openedAt <= finding.instant }
    guard let newest else { return false }
    return finding.instant - newest.openedAt < margin
      || newest.closedAt.map { $0 - finding.instant < margin } ?? false
  }

  private func host(of device: Int) -> Int? {
    guard story.cast.header.devices.indices.contains(device) else { return nil }
    if story.cast.header.devices[device].role == .host { return device }
    return connections.last { story.cast.clients[$0.index] == device }.map { story.cast.hosts[$0.index] }
  }

  /// What came to a client was sent by its host; what the client's screen shows of it nobody sees. Spec: BAB 5.4.3.
  private func blameHost(_ finding: inout Finding) {
    let client = finding.device
    guard let host = host(of: client), story.cast.header.devices.indices.contains(client) else { return }
    finding.clause = "BAB 5.4.3"
    finding.actual = "sent to \(story.cast.header.devices[client].name)"
    finding.device = host
  }

  private func isHindered(_ id: String) -> Bool {
    let unseen = [
      NoCrashNoHang.id, OneServicePerHost.id, OpeningGoesInOrder.id, PacketsGoTheirWay.id, SessionsLeaveNothing.id,
      RefusedClientsGiveUp.id, RosterKeepsItsOrder.id,
      GamesEndWhenTheyMust.id, GamesGoOn.id, ClientsShowTheGame.id,
    ]
    if unseen.contains(id) { return false }
    if id == LostSessionsEnd.id { return story.undecidedSearches > 0 }
    return story.missingSince.contains { $0 != nil }
  }

  // MARK: Dialect and notes

  var dialect: String? {
    var texts: [String] = []
    for connection in connections {
      guard let (dialect, evidence) = dialects.dialect(of: connection) else { continue }
      let how =
        switch evidence {
        case .given: "as given"
        case .characteristics: "by its characteristics' UUIDs"
        case .advertisement: "by what its host advertises"
        }
      let text = "\(dialect.name), \(how)"
      if !texts.contains(text) { texts.append(text) }
    }
    return texts.isEmpty ? nil : texts.joined(separator: "; ")
  }

  var notes: [TrafficNote] {
    var notes: [TrafficNote] = []
    for connection in connections { notes += self.notes(connection) }
    if connections.isEmpty {
      notes.append(TrafficNote(text: "no link on which Bab is spoken"))
    } else {
      notes.append(
        TrafficNote(
          text: "not visible in captures: screens, what apps report, and whether an app hangs (NoCrashNoHang)"))
    }
    if story.undecidedSearches > 0 {
      notes.append(
        TrafficNote(
          text:
            "\(story.undecidedSearches) clients still scanned when their session had to be over (BAB 5.7.8); a scan "
            + "does not say which app wants it"))
    }
    if recorder.isFull {
      notes.append(
        TrafficNote(
          text: "more than \(EndRecorder.octetLimit >> 20) MiB of Bab's values; what comes after them is not judged"))
    }
    return notes
  }

  private func notes(_ connection: EndConnection) -> [TrafficNote] {
    var notes: [TrafficNote] = []
    let place = connection.tracks.first?.link.openedBy
    let name = "link of \(story.cast.header.devices[story.cast.clients[connection.index]].name)"
    let gaps = connection.tracks.map(\.gaps).min() ?? 0
    if !connection.isFromStart {
      notes.append(
        TrafficNote(place: place, text: "\(name): the captures begin inside the connection; ATT_MTU is not known"))
    } else if story.missingSince[connection.index] != nil {
      notes.append(
        TrafficNote(
          place: place,
          text: "\(name): \(gaps) gaps; from the first on nothing that depends on what is missing is called wrong"))
    }
    if connection.tracks.contains(where: { dialects.isAssumed($0.link.index) }) {
      notes.append(
        TrafficNote(
          place: place,
          text: "\(name): no discovery in the captures; handles are taken for Bab's because their values begin as "
            + "packets do"))
    }
    if dialects.dialect(of: connection) == nil {
      notes.append(
        TrafficNote(
          place: place,
          text:
            "\(name): nothing says which dialect it is; guide, sdk and app differ in UUIDs, capacity and points, so "
            + "capacity and points are not judged; --dialect says it"))
    }
    return notes
  }
}
