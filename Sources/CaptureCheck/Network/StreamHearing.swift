public import SimKernel

/// When one side of a stream was heard, and whether it let the other one send. A few numbers, however long it lasts.
public struct StreamHearing: Hashable, Sendable {
  /// A side from which nothing came for longer was perhaps not there; whoever asks for keep-alive is heard more often.
  public static let silence = SimDuration.seconds(7)
  /// Silences that are kept; with more nobody calls the side steady.
  private static let silenceLimit = 16

  private struct Silence: Hashable {
    var start: SimInstant
    var end: SimInstant
  }

  public private(set) var first: SimInstant?
  public private(set) var last: SimInstant?
  /// The first instant at which its window was less than an eighth of its widest: it takes little or nothing.
  public private(set) var narrowedAt: SimInstant?
  private var silences: [Silence] = []
  private var isPatchy = false
  private var widest: UInt16 = 0

  /// - Parameter window: as the header has it; nil where it is not scaled, or says nothing.
  mutating func hear(at instant: SimInstant, window: UInt16?) {
    if let last, instant - last > Self.silence {
      isPatchy = isPatchy || silences.count == Self.silenceLimit
      if !isPatchy { silences.append(Silence(start: last, end: instant)) }
    }
    first = min(first ?? instant, instant)
    last = max(last ?? instant, instant)
    guard let window else { return }
    widest = max(widest, window)
    if narrowedAt == nil, window < widest / 8 { narrowedAt = instant }
  }

  /// Whether it was heard again and again from one instant to another, and its window was wide all the time.
  public func isSteady(from start: SimInstant, to end: SimInstant) -> Bool {
    guard let first, let last, !isPatchy, first <= start, last >= end else { return false }
    if let narrowedAt, narrowedAt <= end { return false }
    return !silences.contains { $0.start < end && $0.end > start }
  }
}
