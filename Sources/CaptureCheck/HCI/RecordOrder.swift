import CaptureFormats
import SimKernel

/// Whether the records of one controller are there once, and in the order of their times.
///
/// Programs that merge logs write a record twice, or after a later one. The first octets and the last ones stand for a
/// record: a gap too many accuses nobody.
struct RecordOrder {
  enum Finding {
    case inOrder
    /// The same as the record before, at the same time.
    case twice
    /// Its time is before that of others that came before it.
    case late
  }

  private static let memory = 8
  private var newest: (instant: SimInstant, count: Int, octets: UInt64)?
  /// The newest records and their times, to be told when a late one comes.
  private var recent: [(record: Int, instant: SimInstant)] = []

  /// - Parameter isNews: false of a record that says what it says as often as it is there.
  @inline(__always)
  mutating func take(_ octets: ArraySlice<UInt8>, isNews: Bool, at moment: TrafficMoment) -> Finding {
    let instant = moment.instant
    let mark = Self.mark(octets)
    let before = newest
    newest = (instant, octets.count, mark)
    defer { remember(moment) }
    guard let before else { return .inOrder }
    if instant < before.instant { return .late }
    return isNews && instant == before.instant && octets.count == before.count && mark == before.octets
      ? .twice : .inOrder
  }

  /// Those that have a later time than one that comes only now.
  func records(after instant: SimInstant) -> [Int] { recent.filter { $0.instant > instant }.map(\.record) }

  @inline(__always)
  private mutating func remember(_ moment: TrafficMoment) {
    if recent.count == Self.memory { recent.removeFirst() }
    recent.append((moment.place.record, moment.instant))
  }

  @inline(__always)
  private static func mark(_ octets: ArraySlice<UInt8>) -> UInt64 {
    octets.withUnsafeBytes { octets in
      if octets.count < 8 { return octets.reduce(0) { $0 << 8 | UInt64($1) } }
      let first = octets.loadUnaligned(as: UInt64.self)
      let last = octets.loadUnaligned(fromByteOffset: octets.count - 8, as: UInt64.self)
      return first &* 0x9E37_79B9_7F4A_7C15 ^ last
    }
  }
}
