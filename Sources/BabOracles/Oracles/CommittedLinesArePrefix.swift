import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
import SimKernel

/// The history of every client is a prefix of its host's: the same lines in the same order, each exactly once.
///
/// The history of a host from outside is unknown. But if two clients' histories are prefixes of it, one of the two is a
/// prefix of the other; our clients that have been with such a host from the first line on are judged by that.
package final class CommittedLinesArePrefix: BabOracle {
  package static let id = "CommittedLinesArePrefix"
  package static let claim = "Every client's committed lines are a prefix of the host's, in order and exactly once."
  package static let clause = "BAB 5.4.7"
  package static let nature = OracleNature.safety
  package static let restsOn = ["committed", "historyReplaced", "phase", "sessionEnded"]
  package static let sees = [SeenReport("committed")]
  package static let interests: [TraceKind] = [.history, .session, .launched, .link]

  private struct Line {
    var id: String
    /// Nil when only the id is known, from a snapshot.
    var text: String?
    var instant: SimInstant
  }

  /// What one app has committed. A new game begins a new one; a client is judged against its host's of the same number.
  private struct History {
    var lines: [Line] = []
    /// The identifiers of its lines.
    var known: Set<String> = []
    /// Host: counts the histories it began. Client: the host's history that it follows, nil until that is known.
    var number: Int?
    var isOver = false
    /// When a snapshot has said what it is; nil: none has.
    var replacedAt: SimInstant?
    /// A value was damaged on the way: a line may rightly be missing or garbled, until a snapshot replaces all.
    var isDamaged = false
    /// The person practises alone (BAB 5.10): no host has these lines.
    var isSolo = false
    /// What its app would have said of a game or a snapshot before it, if it says such words: without them its lines
    /// are not those that are kept here.
    var unsaid: [UnsaidWords] = []
  }

  /// What a client has seen of games since its present link opened.
  private struct Attendance {
    var firstLineAt = SimInstant.distantFuture
    var games = 0
    var since = SimInstant.zero
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  private var histories: [History]
  private var attendances: [Attendance]

  package init(state: BabRunState) {
    self.state = state
    histories = state.devices.map { History(number: $0.role == .host ? 0 : nil) }
    attendances = Array(repeating: Attendance(), count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.bab {
    case .input(.launched): begin(device)
    case .input(.connected):
      attendances[device.index] = Attendance()
      attendances[device.index].since = record.instant
    case .report(.phase(let phase)):
      if phase == "FINISHED" || phase == "LOBBY" { histories[device.index].isOver = true }
    case .report(.sessionEnded): histories[device.index].isOver = true
    case .report(.historyReplaced(let ids)): replace(by: ids, device, record)
    case .report(.committed(let index, let id, let text)):
      let isOfAnother = histories[device.index].isSolo != device.isSolo
      if isOfAnother || index == 0 && histories[device.index].isOver { begin(device) }
      if index == 0 { attend(device, record) }
      commit(index, Line(id: id, text: text, instant: record.instant), device, record)
    default: break
    }
  }

  private func begin(_ device: BabDevice) {
    let number = device.role == .host ? (histories[device.index].number ?? 0) + 1 : nil
    histories[device.index] = History(number: number, isSolo: device.isSolo)
  }

  /// Whether a client was away while its host went on: it cannot know what it has missed until a snapshot says it, and
  /// whether one comes is for its host (BAB 5.7.4).
  private func hasMissedLines(_ client: BabDevice, of host: BabDevice) -> Bool {
    let since = attendances[client.index].since
    if snapshotLines(client) > 0 { return false }
    let (own, hosts) = (histories[client.index], histories[host.index])
    if own.replacedAt.map({ $0 >= since }) ?? false { return false }
    return own.lines.count { $0.instant < since } < hosts.lines.count { $0.instant < since }
  }

  /// Lines of the snapshot that has come to a client's app on its present link, whatever it has made of it.
  private func snapshotLines(_ client: BabDevice) -> Int { state.heard(client)?.snapshotLines ?? 0 }

  /// `, though 17 lines had come in a snapshot`: where the line that is missing is one of them.
  private func snapshot(_ client: BabDevice, _ index: Int) -> String {
    let lines = snapshotLines(client)
    return lines > index ? ", though \(CountedNoun.text(lines, "line")) had come in a snapshot" : ""
  }

  private func attend(_ client: BabDevice, _ record: TraceRecord) {
    attendances[client.index].games += 1
    attendances[client.index].firstLineAt = min(attendances[client.index].firstLineAt, record.instant)
  }

  private func commit(_ index: Int, _ line: Line, _ device: BabDevice, _ record: TraceRecord) {
    let count = histories[device.index].lines.count
    guard index == count else {
      let unsaid = index == 0 ? device.unsaid("phase", "sessionEnded") : device.unsaid("historyReplaced")
      histories[device.index].unsaid += unsaid.filter { !histories[device.index].unsaid.contains($0) }
      ledger.fail(
        record, unless: unsaid, expected: "line \(count) next", actual: "line \(index), \(line.id)")
      return
    }
    if !histories[device.index].known.insert(line.id).inserted {
      ledger.fail(
        record, unless: histories[device.index].unsaid, expected: "every line once",
        actual: "\(line.id) again, at \(index)")
      return
    }
    histories[device.index].lines.append(line)
    if device.role == .client, !histories[device.index].isSolo {
      judge(from: index, device, record)
    } else {
      ledger.judged += 1
    }
  }

  private func replace(by ids: [String], _ device: BabDevice, _ record: TraceRecord) {
    if device.role == .host {
      begin(device)
    } else {
      histories[device.index] = History()
    }
    histories[device.index].lines = ids.map { Line(id: $0, text: nil, instant: record.instant) }
    // That a new session has nothing is no snapshot.
    if !ids.isEmpty { histories[device.index].replacedAt = record.instant }
    histories[device.index].known = Set(ids)
    if device.role == .client { judge(from: 0, device, record) }
  }

  /// Judges the lines of a client from `start` on against its host's present history.
  private func judge(from start: Int, _ client: BabDevice, _ record: TraceRecord) {
    if client.isDamaged { histories[client.index].isDamaged = true }
    guard !histories[client.index].isDamaged else { return }
    if state.isLedFromOutside(client) { return judgeAmongSiblings(from: start, client, record) }
    guard let host = state.host(of: client) ?? soleHost else { return }
    if hasMissedLines(client, of: host) { return histories[client.index].isDamaged = true }
    let hosts = histories[host.index]
    if histories[client.index].number == nil { histories[client.index].number = hosts.number }
    let unsaid = hosts.unsaid + host.unsaid("committed", "historyReplaced") + histories[client.index].unsaid
    // A client that has not yet heard of the host's new history is judged again once it has.
    guard histories[client.index].number == hosts.number else { return judgeFormer(client, hosts, unsaid, record) }
    for index in histories[client.index].lines.indices.dropFirst(start) {
      let line = histories[client.index].lines[index]
      guard index < hosts.lines.count else {
        ledger.fail(
          record, unless: unsaid, expected: "at most the host's \(hosts.lines.count) lines",
          actual: "line \(index), \(line.id)")
        return
      }
      let other = hosts.lines[index]
      guard line.id == other.id, line.text == nil || other.text == nil || line.text == other.text else {
        ledger.fail(
          record, unless: unsaid, expected: "the host's line \(index), \(other.id) \"\(other.text ?? "")\"",
          actual: "\(line.id) \"\(line.text ?? "")\"" + snapshot(client, index))
        return
      }
    }
    ledger.judged += 1
  }

  /// A client that has kept the lines of another game and commits one of this game after them.
  private func judgeFormer(_ client: BabDevice, _ hosts: History, _ unsaid: [UnsaidWords], _ record: TraceRecord) {
    let own = histories[client.index].lines
    guard let newest = own.last, own.count > 1, !hosts.known.contains(own[0].id), hosts.known.contains(newest.id),
      let place = hosts.lines.firstIndex(where: { $0.id == newest.id && $0.text == newest.text }), place < own.count - 1
    else { return }
    ledger.fail(
      record, unless: unsaid, expected: "\(newest.id) at \(place), in the lines of this game",
      actual: "at \(own.count - 1), after \(own[0].id) of another game")
  }

  /// Judges new lines of a client whose host is from outside by what its siblings show at the same places.
  private func judgeAmongSiblings(from start: Int, _ client: BabDevice, _ record: TraceRecord) {
    let own = histories[client.index]
    for sibling in state.siblings(of: client) where sibling !== client && haveSeenTheSame(client, sibling) {
      let other = histories[sibling.index]
      guard !other.isDamaged, !other.isOver, !sibling.isDamaged else { continue }
      for index in start..<max(start, min(own.lines.count, other.lines.count)) {
        let line = own.lines[index]
        let theirs = other.lines[index]
        guard line.id == theirs.id, line.text == nil || theirs.text == nil || line.text == theirs.text else {
          ledger.fail(
            record, expected: "line \(index) as \(sibling.name) shows it, \(theirs.id) \"\(theirs.text ?? "")\"",
            actual: "\(line.id) \"\(line.text ?? "")\"\(state.hearsay(client))")
          return
        }
        ledger.judged += 1
      }
    }
  }

  /// Whether two clients have been linked to their host since before either's first line, and are in the same game.
  private func haveSeenTheSame(_ a: BabDevice, _ b: BabDevice) -> Bool {
    guard let first = a.links.last, let second = b.links.last else { return false }
    let opened = max(first.openedAt, second.openedAt)
    let (one, other) = (attendances[a.index], attendances[b.index])
    return one.games > 0 && one.games == other.games && opened < min(one.firstLineAt, other.firstLineAt)
  }

  /// The host of a client that has lost its link, when there is no doubt.
  private var soleHost: BabDevice? {
    let hosts = state.devices.filter { $0.role == .host }
    return hosts.count == 1 && !hosts[0].isForeign ? hosts[0] : nil
  }
}
