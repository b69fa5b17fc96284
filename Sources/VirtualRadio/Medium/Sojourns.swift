import SimKernel

/// A two-state process in continuous time whose sojourns are exponential: bursts, and interferers that do not listen.
///
/// The sequence of sojourns comes from the stream alone; asking at other instants never changes it.
struct Sojourns {
  private var stream: RandomStream
  private let means: (off: SimDuration, on: SimDuration)
  private var isOn = false
  private var until: SimInstant
  private(set) var log = SpanLog()

  /// - Parameters: mean time off (good) and on (bad); both are at least a microsecond. It begins off.
  init(meanOff: SimDuration, meanOn: SimDuration, stream: RandomStream, from start: SimInstant = .zero) {
    self.stream = stream
    means = (max(meanOff, .microseconds(1)), max(meanOn, .microseconds(1)))
    until = start
    until = start + Exponential.draw(means.off, from: &self.stream)
  }

  /// Whether the process is on at any time within `start ..< end`. Calls may go back by `SpanLog.memory`.
  mutating func isOn(from start: SimInstant, to end: SimInstant) -> Bool {
    extend(to: end)
    return log.overlaps(from: start, to: end)
  }

  /// Continues the process, so that `log` is complete up to `end`.
  mutating func extend(to end: SimInstant) {
    while until < end {
      let start = until
      isOn.toggle()
      until = until + Exponential.draw(isOn ? means.on : means.off, from: &stream)
      if isOn { log.append(SpanLog.Span(start: start, end: until)) }
    }
  }
}
