import AppSeam
import Bench
import Judging
import SimKernel
import VirtualRadio

/// Links that take long for what they are to carry, and links that last long with nobody.
extension CircumstanceBook {
  /// A link that has carried data all the time, in one direction or the other.
  struct BusyLink: Sendable {
    let accessAddress: UInt32
    let begin: SimInstant
    var newest: SimInstant
    /// With data, that have arrived.
    var pdus = 1
    /// The longest payload of them.
    var octets: Int
    /// Where it is told.
    var place: Int?
  }

  /// Shorter connection intervals hinder nobody.
  private static let longInterval = SimDuration.milliseconds(100)
  /// What takes less is not slow.
  private static let slow = SimDuration.seconds(3)

  mutating func setInterval(_ ends: Ends, _ units: UInt16) {
    air.intervals[ends.pair] = .microseconds(1_250) * Int64(units)
  }

  /// The interval of a link has changed, and is not known any more.
  mutating func forgetInterval(of link: LinkID?, _ device: Int) {
    guard let peer = link.flatMap({ devices[device].peer(of: $0) }) else { return }
    air.intervals[Ends(from: device, to: peer).pair] = nil
    air.timeouts[Ends(from: device, to: peer).pair] = nil
  }

  /// A PDU of a link has arrived. A link with a long interval that carries data in nearly every connection event has
  /// more to carry than it can.
  mutating func carries(_ pdu: AirPDU, _ ends: Ends, _ record: TraceRecord) {
    let pair = ends.pair
    guard let interval = air.intervals[pair], interval >= Self.longInterval, let first = pdu.pdu.first else { return }
    let octets = first & 3 == 3 ? 0 : pdu.pdu.count - 2
    // What was lost is sent again, and an answer may take an event more.
    if let busy = air.busy[pair], busy.accessAddress != pdu.accessAddress || pdu.start - busy.newest > interval * 4 {
      if let place = busy.place, kept[place].end == nil { close(place, record) }
      air.busy[pair] = nil
    }
    if octets <= 0 { return }
    guard var busy = air.busy[pair] else {
      return air.busy[pair] = BusyLink(
        accessAddress: pdu.accessAddress, begin: pdu.start, newest: pdu.start, octets: octets)
    }
    busy.pdus += 1
    busy.newest = pdu.start
    busy.octets = max(busy.octets, octets)
    tell(&busy, ends, interval, record)
    air.busy[pair] = busy
  }

  private mutating func tell(_ busy: inout BusyLink, _ ends: Ends, _ interval: SimDuration, _ record: TraceRecord) {
    let span = busy.newest - busy.begin
    guard span >= Self.slow, interval * Int64(busy.pdus) * 3 >= span * 2 else { return }
    let isFromCentral = devices[ends.from].links.last { $0.peer == ends.to }?.isCentral ?? false
    let (central, peripheral) = isFromCentral ? (ends.from, ends.to) : (ends.to, ends.from)
    guard let link = devices[central].links.last(where: { $0.peer == peripheral }) else { return }
    let text =
      "the link of \(name(central)) with \(name(peripheral)) has had something to carry all the time since"
      + " \(busy.begin.milliseconds) s: \(busy.pdus) PDUs of \(busy.octets) octets at most in"
      + " \(span.toMilliseconds.shortSeconds) s, at a connection interval of \(interval.shortSeconds) s"
    if let place = busy.place, kept[place].end == nil { return kept[place].text = text }
    busy.place = kept.count
    add(.slowTransfer, of: central, peer: peripheral, link: link.id, text, record)
    kept[kept.count - 1].begin = busy.begin
  }

  // MARK: Long timeouts

  /// Who has a link with a device that is gone has it until its supervision timeout is over; told where that is long.
  mutating func isKept(_ record: TraceRecord) {
    let gone = record.device
    for other in devices.indices where other != gone {
      for link in devices[other].links where link.peer == gone {
        guard let timeout = link.longTimeout else { continue }
        add(
          .longTimeout, of: other, peer: gone, link: link.id,
          "\(name(other)) still has its link \(link.id.rawValue) with \(name(gone)), which is gone since"
            + " \(record.instant.milliseconds) s: \(timeout)", record)
      }
    }
  }
}

extension CircumstanceBook {
  /// What a device sends on a link does not come any more, because it is too far away: who has the link waits for its
  /// supervision timeout; told where that is long.
  mutating func isOutOfRange(_ ends: Ends, _ record: TraceRecord) {
    guard air.farAway[ends] == nil, let lost = air.lost[ends], lost.cause == .level,
      let link = devices[ends.to].links.last(where: { $0.peer == ends.from }), let timeout = link.longTimeout
    else { return }
    air.farAway[ends] = kept.count
    let words = lost.words("PDUs from \(name(ends.from))", to: name(ends.to), header)
    add(
      .longTimeout, of: ends.to, peer: ends.from, link: link.id,
      "\(name(ends.to)) still has its link \(link.id.rawValue) with \(name(ends.from)), of which nothing comes any more:"
        + " \(words); \(timeout)", record)
  }
}

extension SimDuration {
  fileprivate var toMilliseconds: SimDuration { .milliseconds(nanoseconds / 1_000_000) }
}
