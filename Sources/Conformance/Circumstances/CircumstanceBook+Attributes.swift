import AppSeam
import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel

/// Single attributes: configurations that are written by their handles, parts of values, what is guarded, and where in
/// a peer's table something is.
extension CircumstanceBook {
  mutating func publishes(_ service: BluetoothUUID, _ characteristics: [BluetoothUUID], _ record: TraceRecord) {
    let device = record.device
    if let old = phones[device].published.first(where: { $0.service == service }), !old.mayBeGone,
      phones[device].servicesGone.map({ $0 < old.instant }) ?? true
    {
      mistake(
        .publishedTwice, nil,
        " publishes service \(service) again beside the one of \(old.instant.milliseconds) s: a peer finds two, and"
          + " cannot tell which of them answers", record)
    }
    phones[device].published.removeAll { $0.service == service }
    phones[device].published.append(
      Published(service: service, characteristics: characteristics, instant: record.instant))
  }

  /// It is not said which one.
  mutating func withdraws(_ record: TraceRecord) {
    for place in phones[record.device].published.indices { phones[record.device].published[place].mayBeGone = true }
  }

  /// `; ROOM has not published it again since its Bluetooth was off, at 8.000 s`, or what its app has published in its
  /// place; empty: it has published it, or nobody knows.
  func unpublished(_ service: BluetoothUUID, _ peer: Int?) -> String {
    guard let peer else { return "" }
    let known = phones[peer].published.map(\.service)
    if !known.contains(service), devices[peer].search.localName != nil || devices[peer].search.advertised != nil {
      return known.isEmpty
        ? "; the app of \(name(peer)) advertises, and has published no service so far"
        : "; the app of \(name(peer)) has published \(Self.list(known)) only"
    }
    guard let gone = phones[peer].servicesGone,
      let published = phones[peer].published.first(where: { $0.service == service }), published.instant < gone
    else { return "" }
    return "; \(name(peer)) has not published it again since its Bluetooth was off, at \(gone.milliseconds) s"
  }

  /// What was discovered so far is of no service that the peer's app has published.
  mutating func missesService(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let known = devices[device].link(link), let peer = known.peer else { return }
    let published = phones[peer].published.map(\.service)
    let mark = "; it has discovered characteristics of"
    for place in open where isOpen(place, .notSubscribed, device) && kept[place].link == link {
      let end = kept[place].text.firstRange(of: mark)?.lowerBound ?? kept[place].text.endIndex
      let isMissed = !published.isEmpty && !known.services.contains(where: published.contains)
      let text = "\(mark) \(Self.list(known.services)) only, and the app of \(name(peer)) has published "
      kept[place].text = kept[place].text[..<end] + (isMissed ? text + Self.list(published) : "")
    }
  }

  // MARK: Services that change

  mutating func servicesChange(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    if open.contains(where: { isOpen($0, .changeIgnored, device) && kept[$0].link == link }) { return }
    let peer = devices[device].peer(of: link)
    add(
      .changeIgnored, peer: peer, link: link,
      "\(name(device)) was told at \(record.instant.milliseconds) s that services\(peer.map { " of \(name($0))" } ?? "") have"
        + " changed on link \(link.rawValue), and has not discovered them again", record)
  }

  mutating func discovers(_ link: LinkID, _ record: TraceRecord) {
    close(record) { $0.device == record.device && $0.link == link && $0.kind == .changeIgnored }
  }

  /// `; ROOM has it in service X, and GUEST has discovered those of Y only`, or that the peer has no such one.
  func placement(of type: BluetoothUUID, _ link: DeviceCircumstances.Link) -> String {
    guard let peer = link.peer, !phones[peer].published.isEmpty else { return "" }
    let holders = phones[peer].published.filter { $0.characteristics.contains(type) }.map(\.service)
    if let gone = holders.lazy.map({ unpublished($0, peer) }).first(where: { !$0.isEmpty }) { return gone }
    if holders.isEmpty {
      let all = phones[peer].published.flatMap(\.characteristics)
      return "; \(name(peer)) has no such characteristic: it has \(Self.list(Array(all.prefix(6))))"
        + (all.count > 6 ? " and \(all.count - 6) more" : "")
    }
    if link.services.isEmpty || !link.services.allSatisfy({ !holders.contains($0) }) { return "" }
    return
      "; \(name(peer)) has it in service \(Self.list(holders)), and of that nothing was discovered on this link, only of"
      + " \(Self.list(link.services))"
  }

  // MARK: Configurations by handle

  /// A Client Characteristic Configuration that was written by its handle.
  mutating func configured(_ link: LinkID, _ handle: ATT.Handle, _ error: UInt8?, _ record: TraceRecord) {
    let device = record.device
    guard let known = devices[device].link(link),
      let place = known.configured.firstIndex(where: { $0.handle == handle })
    else { return }
    let octets = known.configured[place].octets
    devices[device].change(link) { $0.configured.remove(at: place) }
    guard let found = known.handles.first(where: { $0.value < handle && handle <= $0.end }) else { return }
    let bits = octets.first ?? 0
    guard let error else {
      return bits == 0 ? () : isConfigured(link, found.uuid, record)
    }
    let wanted = bits & 1 != 0 ? "notifications" : bits & 2 != 0 ? "indications" : "neither"
    refused(
      .subscription,
      "a Client Characteristic Configuration of \(found.uuid) that asks for \(wanted) (\(String(hexadecimal: octets)))",
      error, link, found.uuid, record)
  }

  // MARK: Parts of values

  mutating func readAsked(
    _ request: RequestID, _ link: LinkID, _ type: BluetoothUUID, _ offset: Int, _ record: TraceRecord
  ) {
    devices[record.device].reads.append((request, link, type, offset))
  }

  /// An answer to a read; of a later part it is not to begin as the value does.
  mutating func readAnswered(_ request: RequestID, _ octets: [UInt8], _ record: TraceRecord) {
    let device = record.device
    guard let place = devices[device].reads.firstIndex(where: { $0.request == request }) else { return }
    let read = devices[device].reads.remove(at: place)
    let before = devices[device].readValues.firstIndex { $0.link == read.link && $0.type == read.type }
    if read.offset == 0 {
      if let before { devices[device].readValues.remove(at: before) }
      return devices[device].readValues.append((read.link, read.type, octets))
    }
    guard let before, octets.count >= 8 else { return }
    let value = devices[device].readValues[before].octets
    guard value.prefix(octets.count).elementsEqual(octets.prefix(value.count)) else { return }
    // A value may repeat itself.
    guard !value.dropFirst(read.offset).prefix(octets.count).elementsEqual(octets) else { return }
    mistake(
      .wrongPart, read.link,
      " answers a read of \(read.type) from octet \(read.offset) on with the beginning of the value, as it did from octet 0"
        + " on", record)
  }

  // MARK: What is guarded

  /// A write command to what the server's app allows on encrypted links only; it is ignored without a word on others.
  mutating func writesGuarded(_ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord) {
    let device = record.device
    guard let peer = devices[device].peer(of: link), phones[peer].encrypted.contains(type),
      !open.contains(where: { isOpen($0, .guardedWrite, device) && kept[$0].link == link })
    else { return }
    add(
      .guardedWrite, peer: peer, link: link,
      "\(name(device)) writes without response to \(type), which the app of \(name(peer)) allows on encrypted links only;"
        + " no value of it has come", record)
  }

  /// A server was given such a value: the link is encrypted.
  mutating func takesCommand(_ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord) {
    let device = record.device
    guard phones[device].encrypted.contains(type), let peer = devices[device].peer(of: link) else { return }
    close(record) { $0.device == peer && $0.peer == device && $0.kind == .guardedWrite }
  }
}
