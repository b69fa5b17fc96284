public import SimKernel

/// A quantity over time in slots of equal length, one second at first.
///
/// Memory is bounded whatever the length of the capture: when all slots are used, neighbours are put together and a
/// slot lasts twice as long.
public struct StatsSeries: Hashable, Sendable {
  public static let capacity = 1_024

  public struct Slot: Hashable, Sendable {
    public var sum: Int64 = 0
    public var count: Int64 = 0
  }

  /// Where the first slot begins.
  public private(set) var start: SimInstant?
  public private(set) var slots: [Slot] = []
  public private(set) var slotLength = SimDuration.seconds(1)

  public init() {}

  /// Counts `amount` at an instant; what lies before the first one counts for the first slot.
  public mutating func add(_ amount: Int64, at instant: SimInstant) {
    if start == nil { start = instant }
    guard let start else { return }
    var index = max(0, (instant - start).nanoseconds) / slotLength.nanoseconds
    while index >= Int64(Self.capacity) {
      halve()
      index /= 2
    }
    while slots.count <= Int(index) { slots.append(Slot()) }
    slots[Int(index)].sum &+= amount
    slots[Int(index)].count += 1
  }

  private mutating func halve() {
    slots = stride(from: 0, to: slots.count, by: 2).map { index in
      var slot = slots[index]
      if index + 1 < slots.count {
        slot.sum &+= slots[index + 1].sum
        slot.count += slots[index + 1].count
      }
      return slot
    }
    slotLength = slotLength * 2
  }

  /// The largest sum of a slot, for each second of it.
  public var peakPerSecond: Int64 {
    (slots.map(\.sum).max() ?? 0) * 1_000_000_000 / slotLength.nanoseconds
  }
}
