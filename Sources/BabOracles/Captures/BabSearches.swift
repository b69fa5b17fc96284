import CaptureCheck
import Conformance
import SimKernel

/// Clients that have lost their host and whose HCI was captured: whether they still look for it.
///
/// A client that has given up leaves no scan and no attempt behind (BAB 5.7.8). One that still scans may do so for
/// another app: that decides nothing.
struct BabSearches {
  struct News {
    enum Kind { case givenUp, undecided }
    var device: Int
    var instant: SimInstant
    var kind: Kind
  }

  private struct Search {
    var device: Int
    var adapter: TrafficAdapter
    var lostAt: SimInstant
    /// When the app must have given up.
    var due: SimInstant { lostAt + Bounds.reconnectWindow + Bounds.givesUp }
    /// Neither a scan nor an attempt since; nil while there is one.
    var quietSince: SimInstant?

    /// When it has given up: at once when the window is over, before only after a pause that no back-off explains.
    var end: SimInstant? {
      quietSince.map { quiet in
        quiet + BabSearches.slack >= lostAt + Bounds.reconnectWindow ? quiet : quiet + BabSearches.quiet
      }
    }
  }

  /// A client that pauses this long between two attempts has given up. The longest back-off takes 1.7 s (BAB 8.7).
  private static let quiet = SimDuration.seconds(2)
  private static let slack = SimDuration.milliseconds(100)

  private var searches: [Search] = []
  private var looking: [(adapter: TrafficAdapter, isLooking: Bool)] = []
  private(set) var undecided = 0

  init(devices: Int) {}

  mutating func looks(_ adapter: TrafficAdapter, _ isLooking: Bool, at instant: SimInstant) {
    looking.removeAll { $0.adapter === adapter }
    looking.append((adapter, isLooking))
    for index in searches.indices where searches[index].adapter === adapter {
      searches[index].quietSince = isLooking ? nil : instant
    }
  }

  /// - Parameter returns: the captures show that it is linked again in time.
  mutating func lost(_ device: Int, _ adapter: TrafficAdapter, at instant: SimInstant, returns: Bool) {
    searches.removeAll { $0.device == device }
    if returns { return }
    let isLooking = looking.last { $0.adapter === adapter }?.isLooking ?? false
    searches.append(
      Search(
        device: device, adapter: adapter, lostAt: instant, quietSince: isLooking ? nil : instant))
  }

  mutating func linked(_ device: Int) { searches.removeAll { $0.device == device } }

  /// What has become clear before `now`, in order.
  mutating func due(at now: SimInstant) -> [News] {
    if searches.isEmpty { return [] }
    var news: [News] = []
    searches.removeAll { search in
      if let end = search.end, end < now, end <= search.due {
        news.append(News(device: search.device, instant: end, kind: .givenUp))
        return true
      }
      if search.due < now {
        undecided += 1
        news.append(News(device: search.device, instant: search.due, kind: .undecided))
        return true
      }
      return false
    }
    return news.sorted { ($0.instant, $0.device) < ($1.instant, $1.device) }
  }
}
