import BabSim
import Bench
import CaptureCheck
import Conformance
import SimKernel

/// The records that oracles read, made from packets: in the order of what they show.
struct BabRecords {
  /// A place between records: what is put there comes after everything put there before.
  struct Anchor {
    fileprivate var major: Int
    fileprivate var instant: SimInstant
  }

  private struct Entry {
    var major: Int
    var minor: Int
    var record: TraceRecord
  }

  private var entries: [Entry] = []
  private var latest = SimInstant.zero

  /// After the newest record.
  var anchor: Anchor { Anchor(major: entries.count - 1, instant: latest) }

  /// After the newest record, at an instant that is not before it.
  func anchor(at instant: SimInstant) -> Anchor { Anchor(major: entries.count - 1, instant: max(latest, instant)) }

  /// - Parameter instant: clocks of real captures step back at times; the order of records does not.
  mutating func add(_ event: TraceEvent, device: Int, at instant: SimInstant, _ place: PacketPlace) {
    latest = max(latest, instant)
    entries.append(
      Entry(
        major: entries.count, minor: 0,
        record: TraceRecord(sequence: place.record, instant: latest, device: device, event: event)))
  }

  /// Puts a record where it belongs, though it became known only now.
  mutating func add(_ event: TraceEvent, device: Int, at anchor: Anchor, _ place: PacketPlace) {
    assert(anchor.major < entries.count, "a place is between records that are there")
    entries.append(
      Entry(
        major: anchor.major, minor: entries.count,
        record: TraceRecord(sequence: place.record, instant: anchor.instant, device: device, event: event)))
  }

  /// In order.
  var sorted: [TraceRecord] {
    entries.sorted { ($0.major, $0.minor) < ($1.major, $1.minor) }.map(\.record)
  }
}
