import AppSeam
import BeamScribe
import Bench
import Conformance
import Platform
import SimKernel

/// Takes the figures of a guest, and says when it takes part.
final class GuestMeter: AppMeter {
  private struct Stream {
    var id: ConnectionID
    var ready: SimInstant
    /// Octets of the history's frames.
    var history = 0
    /// Since when there is a better path than this one.
    var better: SimInstant?
  }

  private var streams: [Stream] = []
  /// The stream whose packet was read last.
  private var reading: (id: ConnectionID, isHistory: Bool)?
  /// Attempts since it was lost; nil: it is not.
  private var attempts: Int64?

  func read(_ event: TraceEvent, at now: SimInstant, note: (Int, Int64) -> Void) -> AppMilestone? {
    switch event {
    case .report(let report): return read(report.beam, at: now, note: note)
    case .input(.network(let input)): read(input, at: now)
    case .effect(.network(.connect)): attempts = attempts.map { $0 + 1 }
    case .effect(.network(.cancel(let id))):
      guard let place = place(id) else { break }
      if let better = streams.remove(at: place).better, !streams.isEmpty {
        note(BeamFigure.pathSwitch.rawValue, (now - better).nanoseconds)
      }
    case .input(.launched), .fault(.kill), .fault(.reclaim): (streams, reading, attempts) = ([], nil, nil)
    default: break
    }
    return nil
  }

  private func read(_ input: NetworkInput, at now: SimInstant) {
    switch input {
    case .ready(let id, _): streams.append(Stream(id: id, ready: now))
    case .failed(let id, _), .cancelled(let id): streams.removeAll { $0.id == id }
    case .betterPath(let id, let isBetter):
      guard let place = place(id) else { return }
      streams[place].better = isBetter ? streams[place].better ?? now : nil
    default: break
    }
  }

  private func read(_ report: BeamReport?, at now: SimInstant, note: (Int, Int64) -> Void) -> AppMilestone? {
    switch report {
    case .state(let state): return read(state, note: note)
    case .finalShown(let sequence, let text):
      let thing = "\(sequence) \(text)"
      return reading?.isHistory == true ? .restored(kind: 0, things: [thing]) : .shows(kind: 0, thing: thing)
    case .partialShown(let sequence, let text): return .shows(kind: 1, thing: "\(sequence) \(text)")
    case .alertShown(let alert, isOwn: false): return .shows(kind: 2, thing: alert)
    case .packetReceived(let id, let type, let octets):
      let isHistory = type == BeamPacket.Kind.fullHistory.rawValue
      reading = (id, isHistory)
      if isHistory, let place = place(id) { streams[place].history += octets }
    case .historyShown:
      guard let reading, let place = place(reading.id) else { break }
      note(BeamFigure.history.rawValue, (now - streams[place].ready).nanoseconds)
      note(BeamFigure.historySize.rawValue, Int64(streams[place].history))
    case .latency(_, let milliseconds): note(BeamFigure.claimedLatency.rawValue, Int64(milliseconds) * 1_000_000)
    default: break
    }
    return nil
  }

  private func read(_ state: String, note: (Int, Int64) -> Void) -> AppMilestone? {
    switch BeamState(rawValue: state) {
    case .showing:
      if let attempts { note(BeamFigure.retries.rawValue, attempts) }
      attempts = nil
      return .seated
    case .lost:
      attempts = attempts ?? 0
      return .unseated(isOrdered: false)
    case .idle, .ended:
      attempts = nil
      return .unseated(isOrdered: true)
    case .looking, .connecting, .connected, .hosting, nil: return nil
    }
  }

  private func place(_ id: ConnectionID) -> Int? { streams.firstIndex { $0.id == id } }

  func end(note: (Int, Int64) -> Void) {}
}
