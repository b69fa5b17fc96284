public import SimKernel

/// How far the clock of a capture is from that of the others.
public struct ClockOffset: Hashable, Sendable {
  public var offset: SimDuration
  /// Half the width of what the matched packets allow; zero when somebody has given the offset.
  public var uncertainty: SimDuration
  /// Packets that both captures have; 0 when somebody has given the offset.
  public var matches: Int
  /// How much slower this clock is, in parts per 10⁹; 0 unless one constant offset cannot be right.
  public var driftPPB = 0
  /// The time, by this capture's own clock, at which `offset` holds.
  public var middle: Int64 = 0
  /// Packets of one direction only are in both captures: the offset is a bound, and its uncertainty an assumption.
  public var isOneSided = false
  /// What a third capture says contradicts it.
  public var isDisputed = false
  /// The capture that was taken at the same place: records of both are the same ones.
  var twin: Int?
  /// What such a clock is off by, record by record, in the order of their times; between two of them it changes evenly.
  var anchors: [ClockAnchor] = []

  public init(offset: SimDuration, uncertainty: SimDuration, matches: Int) {
    self.offset = offset
    self.uncertainty = uncertainty
    self.matches = matches
  }

  /// Clocks that are known worse order nothing: what two captures show in some order may have been the other way round.
  static let certainty = SimDuration.milliseconds(250)

  /// Whether what two captures show has an order.
  public var isCertain: Bool { !isOneSided && !isDisputed && uncertainty <= Self.certainty }

  /// What bounds from one side only comes last.
  func isBetter(than other: Self?) -> Bool {
    guard let other else { return true }
    return isOneSided == other.isOneSided ? uncertainty < other.uncertainty : other.isOneSided
  }

  /// Whether one clock can be what both say.
  func agrees(with other: Self) -> Bool {
    let (distance, overflows) = offset.nanoseconds.subtractingReportingOverflow(other.offset.nanoseconds)
    let slack = uncertainty.nanoseconds.addingReportingOverflow(other.uncertainty.nanoseconds)
    return slack.overflow || !overflows && distance.magnitude <= slack.partialValue.magnitude
  }

  /// What is to be added to a time of the capture's own clock.
  func correction(at nanoseconds: Int64) -> Int64 {
    if let first = anchors.first, let last = anchors.last {
      return between(nanoseconds, first, last)
    }
    if driftPPB == 0 { return offset.nanoseconds }
    let (time, overflows) = nanoseconds.subtractingReportingOverflow(middle)
    return offset.nanoseconds + (overflows ? 0 : Self.drift(driftPPB, over: time))
  }

  private func between(_ time: Int64, _ first: ClockAnchor, _ last: ClockAnchor) -> Int64 {
    if time <= first.at { return first.difference }
    if time >= last.at { return last.difference }
    var (low, high) = (0, anchors.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if anchors[middle].at <= time { low = middle } else { high = middle }
    }
    let (a, b) = (anchors[low], anchors[high])
    let change = b.difference.subtractingReportingOverflow(a.difference).partialValue
    let length = b.at.subtractingReportingOverflow(a.at).partialValue
    if change == 0 || length <= 0 { return a.difference }
    return a.difference &+ change.scaled(by: time &- a.at, over: length)
  }

  /// By capture: the first of all that were taken at its place.
  static func viewpoints(_ clocks: [ClockOffset?]) -> [Int] {
    clocks.indices.map { index in
      var place = index
      // Each was settled through one before it, so that this ends.
      for _ in clocks.indices { place = clocks[place]?.twin ?? place }
      return place
    }
  }

  /// Nanoseconds that a clock gains in some time.
  static func drift(_ ppb: Int, over nanoseconds: Int64) -> Int64 {
    nanoseconds.scaled(by: Int64(ppb), over: 1_000_000_000)
  }
}
