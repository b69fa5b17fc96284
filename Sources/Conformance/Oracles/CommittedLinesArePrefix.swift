public import BabSim

/// The history of every client is a prefix of its host's: the same lines in the same order, each exactly once.
public final class CommittedLinesArePrefix: Oracle {
  public static let id = "CommittedLinesArePrefix"
  public static let claim = "Every client's committed lines are a prefix of the host's, in order and exactly once."
  public static let clause = "BAB 5.4.7"
  public static let interests: [TraceKind] = [.history, .session, .launched]

  private struct Line {
    var id: String
    /// Nil when only the id is known, from a snapshot.
    var text: String?
  }

  /// What one app has committed. A new game begins a new one; a client is judged against its host's of the same number.
  private struct History {
    var lines: [Line] = []
    /// Host: counts the histories it began. Client: the host's history that it follows, nil until that is known.
    var number: Int?
    var isOver = false
    /// A value was damaged on the way: a line may rightly be missing or garbled, until a snapshot replaces all.
    var isDamaged = false
  }

  public let ledger = makeLedger()
  private let state: RunState
  private var histories: [History]

  public init(state: RunState) {
    self.state = state
    histories = state.devices.map { History(number: $0.role == .host ? 0 : nil) }
  }

  public func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.event {
    case .input(.launched): begin(device)
    case .report(.phase(let phase)):
      if phase == "FINISHED" || phase == "LOBBY" { histories[device.index].isOver = true }
    case .report(.sessionEnded): histories[device.index].isOver = true
    case .report(.historyReplaced(let ids)): replace(by: ids, device, record)
    case .report(.committed(let index, let id, let text)):
      if index == 0, histories[device.index].isOver { begin(device) }
      commit(index, Line(id: id, text: text), device, record)
    default: break
    }
  }

  private func begin(_ device: DeviceState) {
    let number = device.role == .host ? (histories[device.index].number ?? 0) + 1 : nil
    histories[device.index] = History(number: number)
  }

  private func commit(_ index: Int, _ line: Line, _ device: DeviceState, _ record: TraceRecord) {
    let count = histories[device.index].lines.count
    guard index == count else {
      ledger.fail(record, expected: "line \(count) next", actual: "line \(index), \(line.id)")
      return
    }
    if histories[device.index].lines.contains(where: { $0.id == line.id }) {
      ledger.fail(record, expected: "every line once", actual: "\(line.id) again, at \(index)")
      return
    }
    histories[device.index].lines.append(line)
    if device.role == .client { judge(from: index, device, record) } else { ledger.judged += 1 }
  }

  private func replace(by ids: [String], _ device: DeviceState, _ record: TraceRecord) {
    if device.role == .host {
      begin(device)
    } else {
      histories[device.index] = History()
    }
    histories[device.index].lines = ids.map { Line(id: $0, text: nil) }
    if device.role == .client { judge(from: 0, device, record) }
  }

  /// Judges the lines of a client from `start` on against its host's present history.
  private func judge(from start: Int, _ client: DeviceState, _ record: TraceRecord) {
    if client.isDamaged { histories[client.index].isDamaged = true }
    guard !histories[client.index].isDamaged, let host = state.host(of: client) ?? soleHost else { return }
    let hosts = histories[host.index]
    if histories[client.index].number == nil { histories[client.index].number = hosts.number }
    // A client that has not yet heard of the host's new history is judged again once it has.
    guard histories[client.index].number == hosts.number else { return }
    for index in histories[client.index].lines.indices.dropFirst(start) {
      let line = histories[client.index].lines[index]
      guard index < hosts.lines.count else {
        ledger.fail(
          record, expected: "at most the host's \(hosts.lines.count) lines", actual: "line \(index), \(line.id)")
        return
      }
      let other = hosts.lines[index]
      guard line.id == other.id, line.text == nil || other.text == nil || line.text == other.text else {
        ledger.fail(
          record, expected: "the host's line \(index), \(other.id) \"\(other.text ?? "")\"",
          actual: "\(line.id) \"\(line.text ?? "")\"")
        return
      }
    }
    ledger.judged += 1
  }

  /// The host of a client that has lost its link, when there is no doubt.
  private var soleHost: DeviceState? {
    let hosts = state.devices.filter { $0.role == .host }
    return hosts.count == 1 ? hosts[0] : nil
  }
}
