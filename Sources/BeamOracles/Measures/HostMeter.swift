import AppSeam
import BeamScribe
import Bench
import Conformance
import Platform
import SimKernel

/// Takes the figures of a host.
final class HostMeter: AppMeter {
  private struct Stream {
    var id: ConnectionID
    var ready: SimInstant
    var isOpen = false
    /// Octets of the frames that the platform took.
    var octets = 0
  }

  /// Those that no end has ended.
  private var streams: [Stream] = []
  private var unstable: Int64 = 0
  /// BEAM 8.2.
  private static let unstableBefore = SimDuration.seconds(5)

  func read(_ event: TraceEvent, at now: SimInstant, note: (Int, Int64) -> Void) -> AppMilestone? {
    switch event {
    case .report(let report): return read(report.beam, at: now, note: note)
    case .input(.network(.incoming(let id, _, _))): streams.append(Stream(id: id, ready: now))
    case .input(.network(.failed(let id, _))), .input(.network(.ended(let id))):
      guard let place = place(id) else { break }
      let stream = streams.remove(at: place)
      if now - stream.ready < Self.unstableBefore { note(BeamFigure.unstableOctets.rawValue, Int64(stream.octets)) }
    case .effect(.network(.cancel(let id))), .effect(.network(.finish(let id))):
      streams.removeAll { $0.id == id }
    case .input(.launched), .fault(.kill), .fault(.reclaim): streams = []
    default: break
    }
    return nil
  }

  private func read(_ report: BeamReport?, at now: SimInstant, note: (Int, Int64) -> Void) -> AppMilestone? {
    switch report {
    case .finalShown(let sequence, let text): return .shows(kind: 0, thing: "\(sequence) \(text)")
    case .partialShown(let sequence, let text): return .shows(kind: 1, thing: "\(sequence) \(text)")
    case .alertRaised(let alert): return .shows(kind: 2, thing: alert)
    case .gateOpened(let id, _):
      guard let place = place(id), !streams[place].isOpen else { break }
      streams[place].isOpen = true
      note(BeamFigure.gate.rawValue, (now - streams[place].ready).nanoseconds)
    case .packetSent(let id, _, let octets): if let place = place(id) { streams[place].octets += octets }
    case .unstable: unstable += 1
    default: break
    }
    return nil
  }

  private func place(_ id: ConnectionID) -> Int? { streams.firstIndex { $0.id == id } }

  func end(note: (Int, Int64) -> Void) { note(BeamFigure.unstableStreams.rawValue, unstable) }
}
