import BluetoothWire
import CaptureCheck
import SimKernel

/// Which characteristics of a server tell values by themselves, whatever its clients write meanwhile.
///
/// A value follows some write in nearly every capture. It is taken for its own if fewer than half of the writes on the
/// link have one after them before the next write, or if values come at regular times and writes are few.
struct RecordedRhythm {
  private struct Count {
    var values = 0
    var writes = 0
    /// Writes with a value after them, before the next one.
    var answered = 0
    var gaps: [Int64] = []
  }

  private var counts: [ATT.Handle: Count] = [:]
  private var handles: [ATT.Handle] = []
  /// Values that come by themselves; of meaning after `settle`.
  private(set) var free: Set<ATT.Handle> = []

  /// Fewer values show no rhythm.
  private static let leastValues = 5

  /// All links have been followed.
  mutating func settle() { free = Set(handles.filter { counts[$0].map(Self.isFree) ?? false }) }

  private static func isFree(_ count: Count) -> Bool {
    guard count.values >= leastValues else { return false }
    if count.answered * 2 < count.writes { return true }
    return count.writes * 4 < count.values && isRegular(count.gaps)
  }

  /// Whether three of four gaps are within a quarter of the median.
  private static func isRegular(_ gaps: [Int64]) -> Bool {
    let sorted = gaps.sorted()
    guard !sorted.isEmpty else { return false }
    let median = sorted[sorted.count / 2]
    let near = sorted.filter { ($0 - median).magnitude * 4 <= median.magnitude }
    return near.count * 4 >= sorted.count * 3
  }

  mutating func follow(_ kept: RecordedTraffic.Link, isServerCentral: Bool, _ map: AttributeMap) {
    var writes = 0
    /// By value: when it was told last, and how many writes there were then.
    var last: [ATT.Handle: (instant: SimInstant, writes: Int)] = [:]
    for pdu in kept.pdus {
      if pdu.fromCentral == isServerCentral {
        for value in TrafficValue.values(in: pdu.octets[...]) ?? [] where value.isFromServer {
          if counts[value.handle] == nil { handles.append(value.handle) }
          var count = counts[value.handle, default: Count()]
          count.values += 1
          if let before = last[value.handle] {
            count.gaps.append(max(0, (pdu.instant - before.instant).nanoseconds))
            count.writes += writes - before.writes
            if writes > before.writes { count.answered += 1 }
          }
          last[value.handle] = (pdu.instant, writes)
          counts[value.handle] = count
        }
      } else if let values = TrafficValue.values(in: pdu.octets[...]), let value = values.first, !value.isFromServer {
        if map.value(configuredBy: value.handle, Array(value.octets)) == nil { writes += 1 }
      }
    }
  }
}

extension AttributeMap {
  /// The value whose Client Characteristic Configuration a client writes; nil: it writes something else.
  func value(configuredBy handle: ATT.Handle, _ octets: [UInt8]) -> ATT.Handle? {
    if characteristic(value: handle) != nil { return nil }
    guard let characteristic = characteristic(owning: handle), handle > characteristic.value else { return nil }
    if let type = descriptor(handle) {
      return type == .clientCharacteristicConfiguration ? characteristic.value : nil
    }
    let tells = !characteristic.properties.isDisjoint(with: [.notify, .indicate])
    return tells && octets.count == 2 ? characteristic.value : nil
  }
}
