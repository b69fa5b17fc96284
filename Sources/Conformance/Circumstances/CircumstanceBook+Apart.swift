import AppSeam
import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel

/// What keeps two devices apart though both want each other: an app without patience, a link that only one end has, an
/// address of before, radios that hardly meet, and a server that forgets whom it serves.
extension CircumstanceBook {
  struct Published {
    var service: BluetoothUUID
    var characteristics: [BluetoothUUID]
    var instant: SimInstant
    /// The app has withdrawn a service since.
    var mayBeGone = false
  }

  /// What is known of the phone of a device, over all launches of its app.
  struct Phone {
    /// What was said of its advertising and of its scans, in the order in which it was.
    var rarely: [String] = []
    /// The same of what holds while its app is in the background.
    var hidden: [String] = []
    /// What was said when it took another address.
    var newAddress: (text: String, instant: SimInstant)?
    var isRadioOff = false
    /// When it has vanished; nil: it is there.
    var gone: SimInstant?
    /// Services that its app has published, with their characteristics.
    var published: [Published] = []
    /// When its Bluetooth went off, or its app ended, last: a phone may have forgotten what was published before.
    var servicesGone: SimInstant?
    /// What its app allows on encrypted links only.
    var encrypted: [BluetoothUUID] = []
  }

  // MARK: Radios

  /// `; ROOM advertises every 10000 ms, and GUEST listens for 50 ms of every 5000 ms`; empty where neither is rare.
  func rarity(_ scanner: Int, _ advertiser: Int) -> String {
    let parts = [advertiser, scanner].flatMap { device in
      (phones[device].rarely + phones[device].hidden).map { "\(name(device)) \($0)" }
    }
    return parts.isEmpty ? "" : "; " + parts.joined(separator: ", and ")
  }

  mutating func isRare(_ text: String, _ record: TraceRecord, isHidden: Bool) {
    let device = record.device
    if (phones[device].rarely + phones[device].hidden).contains(text) { return }
    if isHidden { phones[device].hidden.append(text) } else { phones[device].rarely.append(text) }
    for place in open where [.notFound, .connecting].contains(kept[place].kind) {
      guard kept[place].device == device || kept[place].peer == device else { continue }
      kept[place].text += "; \(name(device)) \(text)"
    }
  }

  mutating func takesAddress(_ text: String, _ record: TraceRecord) {
    phones[record.device].newAddress = (text, record.instant)
    for place in open where kept[place].kind == .connecting && kept[place].peer == record.device {
      if kept[place].text.contains(Self.isGone) { continue }
      kept[place].text += "; the address\(Self.goneAddress(since: record.instant))"
    }
  }

  /// What is wrong with an address that an app connects to; empty: it is the newest.
  func goneAddress(_ peer: Int, _ address: BluetoothAddress) -> String {
    guard let new = phones[peer].newAddress, !new.text.contains(address.description) else { return "" }
    return " at \(address), which" + Self.goneAddress(since: new.instant)
  }

  /// What an app that knows its peer by the address does not see.
  func renewed(_ device: Int, _ peer: Int) -> String {
    guard let new = phones[peer].newAddress,
      let link = spans.last(where: { $0.device == device && $0.peer == peer }), link.begin < new.instant
    else { return "" }
    return "; \(name(peer)) has another address than on their link \(link.link.rawValue)"
  }

  private static let isGone = "is not its own any more"

  private static func goneAddress(since instant: SimInstant) -> String {
    " \(isGone) since \(instant.milliseconds) s"
  }

  // MARK: Attempts

  /// An attempt that lasted for so long has had its time.
  private static let patience = SimDuration.seconds(5)

  /// Attempts that an app has given up itself count until there is a link.
  mutating func givesUp(_ address: BluetoothAddress, _ record: TraceRecord) {
    let device = record.device
    guard let peer = index(of: address),
      let attempt = open.last(where: { isOpen($0, .connecting, device) && kept[$0].peer == peer })
    else { return }
    // Who asks and cancels at once tidies up what was before.
    let asked = devices[device].askedForLink[peer].flatMap { $0 == record.instant ? nil : $0 }
    let patience = record.instant - (asked ?? kept[attempt].begin)
    guard patience < Self.patience else { return }
    let count = devices[device].givenUp[peer, default: 0] + 1
    devices[device].givenUp[peer] = count
    let text =
      "the app of \(name(device)) gives up its attempts to connect to \(name(peer)), \(CountedNoun.text(count, "time"))"
      + " so far, the last one after \(patience.shortSeconds) s" + rarity(device, peer)
    say(.givesUp, peer: peer, link: nil, text, record)
  }

  // MARK: Links with nobody

  /// A device without a link looks for others: who still has one with it has a link with nobody.
  mutating func looks(_ record: TraceRecord) {
    let device = record.device
    guard devices[device].links.isEmpty else { return }
    close(record) { $0.kind == .longTimeout && $0.peer == device }
    for other in devices.indices where other != device {
      for link in devices[other].links where link.peer == device {
        if open.contains(where: { isOpen($0, .deadLink, other) && kept[$0].link == link.id }) { continue }
        add(
          .deadLink, of: other, peer: device, link: link.id,
          "\(name(other)) still has its link \(link.id.rawValue) with \(name(device)), which has none any more and looks"
            + " for one; it lasts up to the supervision timeout", record)
      }
    }
  }

  // MARK: Servers

  /// A server sends to one of its centrals: others that have subscribed have got nothing since that one came, or never.
  mutating func serves(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    close(record) { $0.device == device && $0.link == link && [.servesOthers, .linkUnserved].contains($0.kind) }
    guard let own = devices[device].link(link), !own.isCentral, let to = own.peer else { return }
    devices[device].change(link) { ($0.servedAt, $0.missed) = (record.instant, 0) }
    for other in devices[device].links where other.id != link && !other.isCentral && !other.subscribed.isEmpty {
      devices[device].change(other.id) { $0.missed += 1 }
      // Who has written and got nothing at all is not left out of what others get: it is not answered. One that
      // has not written, where the other has, may be waited for.
      let isSince = other.servedAt.map { $0 < own.begin } ?? (!other.hasWritten && !own.hasWritten)
      guard let peer = other.peer, isSince, other.missed > 0,
        !open.contains(where: { isOpen($0, .servesOthers, device) && kept[$0].link == other.id })
      else { continue }
      let since = other.servedAt == nil ? "" : ", since \(name(to)) came at \(own.begin.milliseconds) s"
      add(
        .servesOthers, peer: peer, link: other.id,
        "\(name(device)) has sent nothing to \(name(peer)), which has subscribed\(since): values go to \(name(to))",
        record)
    }
  }

  /// A central has written: that it gets nothing at all is not that it is left out.
  mutating func isHeard(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    devices[device].change(link) { $0.hasWritten = true }
    guard devices[device].link(link)?.servedAt == nil else { return }
    close(record) { $0.device == device && $0.link == link && $0.kind == .servesOthers }
  }

  // MARK: Links of before

  /// An app uses a link that has ended, though it has another one.
  mutating func uses(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    if devices[device].has(link) { return close(record) { $0.device == device && $0.kind == .staleLink } }
    guard let newer = devices[device].links.last, newer.id.rawValue > link.rawValue,
      !open.contains(where: { isOpen($0, .staleLink, device) })
    else { return }
    add(
      .staleLink, peer: newer.peer, link: nil,
      "the app of \(name(device)) uses link \(link.rawValue), which has ended; its link\(with(newer.peer)) is"
        + " \(newer.id.rawValue)", record)
  }

  /// What a client has subscribed to, where a server sends something else; empty: nothing, or it is not known.
  func subscriptions(on link: LinkID?, of device: Int) -> String {
    guard let known = link.flatMap({ devices[device].link($0) }) else { return "" }
    let ended = known.unsubscribedAt.map { "; it has ended a subscription at \($0.milliseconds) s" } ?? ""
    let other = known.subscribed.isEmpty ? "" : "; it has subscribed to \(Self.list(known.subscribed))"
    return ended + other + refusal(of: .subscription, to: known.peer, by: device)
  }

  /// `; a subscription to X of GUEST was refused: …`, where one was refused or failed and has not come to a good end.
  private func refusal(of operation: FailingOperation, to client: Int?, by server: Int) -> String {
    guard let client else { return "" }
    let places =
      devices[client].refusals.places(operation, with: server)
      + devices[client].failures.places(operation, with: server)
    return places.first.map { "; " + kept[$0].text } ?? ""
  }
}
