/// What one capture saw that another one may have seen too: octets that occur once in it, and when.
///
/// Memory is bounded whatever the capture's length: at most `limit` keys stay, twice that for a moment. When there are
/// more, those above a falling threshold go; every capture draws the same line, so what stays in two of them is the
/// same part of what they have in common.
struct ClockSightings {
  /// 32 octets each.
  static let limit = 1 << 16

  struct Sighting {
    var key: UInt64
    /// By the capture's own clock.
    var nanoseconds: Int64
    /// 0: the captured device sent it; 1: on the air; 2: the captured device received it. Who has less saw it first.
    var stage: Int
    /// `TrafficLink.index` of the connection; −1 for a segment of TCP.
    var link: Int32
    /// Seen again: good for nothing, but it must be known.
    var isRepeated = false
  }

  private var kept: [Sighting] = []
  private var threshold = UInt64.max

  mutating func add(_ hash: UInt64, nanoseconds: Int64, stage: Int, link: Int = -1) {
    let key = Self.spread(hash)
    if key > threshold { return }
    kept.append(Sighting(key: key, nanoseconds: nanoseconds, stage: stage, link: Int32(clamping: link)))
    if kept.count >= 2 * Self.limit { compact() }
  }

  /// In the order of their keys; each key once.
  mutating func unique() -> [Sighting] {
    compact()
    return kept.filter { !$0.isRepeated }
  }

  /// Keys at or below this are all there.
  var isWhole: Bool { threshold == .max }

  private mutating func compact() {
    kept.sort { $0.key < $1.key }
    var count = 0
    for index in kept.indices {
      if count > 0, kept[count - 1].key == kept[index].key {
        kept[count - 1].isRepeated = true
      } else {
        kept[count] = kept[index]
        count += 1
      }
    }
    kept.removeSubrange(count...)
    while kept.count > Self.limit {
      threshold /= 2
      let line = threshold
      kept.removeSubrange((kept.firstIndex { $0.key > line } ?? kept.endIndex)...)
    }
  }

  /// Makes every bit of a hash depend on all, so that a threshold takes a fair part.
  private static func spread(_ hash: UInt64) -> UInt64 {
    var mixed = hash
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
