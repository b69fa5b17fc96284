package import AppSeam
import SimKernel

/// The timers of the reference engines.
package enum BeamTimer {
  /// Host: its listener failed.
  package static let listenAgain = TimerID(1)
  /// Guest: the attempt is to be ready.
  package static let attempt = TimerID(2)
  package static let retry = TimerID(3)

  /// What is timed on a stream.
  package enum OfStream: Int, CaseIterable {
    /// The gate is to open.
    case gate
    /// What waits becomes too old.
    case slow
    /// The other end is to end what was finished.
    case finish
    case viability
    /// A begun frame is to grow.
    case stall
    /// `mpc`: an invitation is to come, or both are to be connected.
    case connect
  }

  private static let firstOfStreams = 16

  package static func id(_ timer: OfStream, _ stream: ConnectionID) -> TimerID {
    TimerID(firstOfStreams + stream.rawValue * OfStream.allCases.count + timer.rawValue)
  }

  /// Nil for a timer that is of no stream.
  package static func ofStream(_ id: TimerID) -> (OfStream, ConnectionID)? {
    let place = id.rawValue - firstOfStreams
    guard place >= 0, let timer = OfStream(rawValue: place % OfStream.allCases.count) else { return nil }
    return (timer, ConnectionID(place / OfStream.allCases.count))
  }
}

/// The timers that are set on one stream, so that none is left when it goes.
struct StreamTimers {
  private let stream: ConnectionID
  private var set: [BeamTimer.OfStream] = []

  init(_ stream: ConnectionID) { self.stream = stream }

  func isSet(_ timer: BeamTimer.OfStream) -> Bool { set.contains(timer) }

  mutating func start(_ timer: BeamTimer.OfStream, at instant: SimInstant, _ effects: Fifo<AppEffect>) {
    if !isSet(timer) { set.append(timer) }
    effects.append(.setTimer(BeamTimer.id(timer, stream), at: instant))
  }

  mutating func stop(_ timer: BeamTimer.OfStream, _ effects: Fifo<AppEffect>) {
    guard isSet(timer) else { return }
    hasFired(timer)
    effects.append(.cancelTimer(BeamTimer.id(timer, stream)))
  }

  mutating func stopAll(_ effects: Fifo<AppEffect>) {
    for timer in set { effects.append(.cancelTimer(BeamTimer.id(timer, stream))) }
    set = []
  }

  mutating func hasFired(_ timer: BeamTimer.OfStream) { set.removeAll { $0 == timer } }
}
