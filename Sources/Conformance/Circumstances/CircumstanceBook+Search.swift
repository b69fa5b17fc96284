import AppSeam
import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel

/// Whether apps look for others or let others find them, and what keeps two of them apart.
extension CircumstanceBook {
  mutating func becomesIdle(_ record: TraceRecord) {
    let device = record.device
    if case .input(.disconnected) = record.event { lets(go: devices[device].lost, record) }
    guard devices[device].isIdle, !phones[device].isRadioOff, !open.contains(where: { isOpen($0, .idle, device) })
    else { return }
    let told = devices[device].told.map { ", since it was told: \(EventWords.of($0))" } ?? ""
    let timer = firedTimer(of: device, but: devices[device].told).map { "; then \($0)" } ?? ""
    add(
      .idle, peer: nil, link: nil,
      "the app of \(name(device)) neither scans, advertises nor connects\(told)\(timer)\(earlierPauses(of: device))"
        + foundNobody(record), record)
  }

  /// `; it has scanned until now, and the app of ROOM has stopped advertising, with no link, at 11.289 s`
  private func foundNobody(_ record: TraceRecord) -> String {
    let own = header.devices[record.device]
    guard case .effect(.stopScanning) = record.event,
      let place = open.first(where: { place in
        let peer = header.devices[kept[place].device]
        return kept[place].kind == .notAdvertising && own.speaks(to: peer) && own.lobby == peer.lobby
      })
    else { return "" }
    return "; it has scanned until now, and \(kept[place].text), at \(kept[place].begin.milliseconds) s"
  }

  mutating func scans(_ services: [BluetoothUUID], _ record: TraceRecord) {
    let device = record.device
    // With Bluetooth off nothing is begun.
    if phones[device].isRadioOff { return }
    looks(record)
    devices[device].search.scan = services
    devices[device].search.hasBegun = true
    close(record) { $0.device == device && [.idle, .filterMismatch, .notFound].contains($0.kind) }
    for peer in header.devices.indices { compare(device, peer, record) }
  }

  mutating func advertises(_ services: [BluetoothUUID], _ record: TraceRecord) {
    let device = record.device
    if phones[device].isRadioOff { return }
    looks(record)
    devices[device].search.advertised = services
    devices[device].search.hasBegun = true
    close(record) { $0.device == device && $0.kind == .idle }
    close(record) { $0.peer == device && [.filterMismatch, .notFound].contains($0.kind) }
    for scanner in header.devices.indices { compare(scanner, device, record) }
  }

  /// A device that scans and one that advertises, of the same lobby: what one looks for is not what the other shows, or
  /// it has not been found yet.
  mutating func compare(_ scanner: Int, _ peer: Int, _ record: TraceRecord) {
    guard scanner != peer, let wanted = devices[scanner].search.scan, let shown = devices[peer].search.advertised,
      header.devices[scanner].speaks(to: header.devices[peer]),
      header.devices[scanner].lobby == header.devices[peer].lobby,
      !devices[scanner].links.contains(where: { $0.peer == peer })
    else { return }
    let isMismatch = !wanted.isEmpty && !wanted.contains(where: shown.contains)
    let names = { (uuids: [BluetoothUUID]) in uuids.isEmpty ? "no service" : Self.list(uuids) }
    let text =
      isMismatch
      ? "the app of \(name(scanner)) scans for \(names(wanted)), and that of \(name(peer)) advertises \(names(shown))"
      : "the app of \(name(scanner)) scans and has not been told of \(name(peer)), which advertises"
        + rarity(scanner, peer)
    let kind = isMismatch ? Circumstance.Kind.filterMismatch : .notFound
    add(kind, of: scanner, peer: peer, link: nil, text, record)
  }

  mutating func found(_ address: BluetoothAddress, _ record: TraceRecord) {
    guard let peer = index(of: address) else { return }
    close(record) { $0.device == record.device && $0.peer == peer && $0.kind == .notFound }
  }

  /// A phone that has refused to advertise: until its app asks again, or is told that it advertises.
  mutating func noRoom(_ remark: PlatformRemark, _ record: TraceRecord) {
    let device = record.device
    let peers = devices[device].links.compactMap(\.peer).map(name).joined(separator: ", ")
    let text =
      "\(name(device)) has no room for another link and does not advertise: \(remark.text)"
      + (peers.isEmpty ? "" : " (with \(peers))")
    guard let place = open.first(where: { isOpen($0, .noRoom, device) }) else {
      return add(.noRoom, peer: nil, link: nil, text, record)
    }
    // Who has the links may have become known since.
    kept[place].text = text
    devices[device].refusedRoom = nil
  }

  /// A phone has refused a link of its app, because it has as many as it can.
  mutating func hasLinksEnough(_ address: BluetoothAddress, _ record: TraceRecord) {
    let device = record.device
    guard let peer = index(of: address) else { return }
    if open.contains(where: { isOpen($0, .noRoomForMore, device) && kept[$0].peer == peer }) { return }
    let links = devices[device].links
    let names = links.compactMap(\.peer).map(name).joined(separator: ", ")
    add(
      .noRoomForMore, peer: peer, link: nil,
      "the phone of \(name(device)) has refused a link with \(name(peer)), because it has as many as it can: "
        + CountedNoun.text(links.count, "link") + (names.isEmpty ? "" : " (with \(names))"), record)
  }

  /// A phone has refused to advertise for another reason.
  mutating func advertisingRefused(_ remark: PlatformRemark, _ record: TraceRecord) {
    let device = record.device
    devices[device].search.advertised = nil
    close(record) { $0.peer == device && ($0.kind == .filterMismatch || $0.kind == .notFound) }
    // That nobody can advertise without Bluetooth is no news.
    if phones[device].isRadioOff { return }
    add(
      .notAdvertising, peer: nil, link: nil, "the phone of \(name(device)) has refused to advertise: \(remark.text)",
      record)
  }

  /// An app that turns its scan off and on meets the same refusal again.
  mutating func scanRefused(_ remark: PlatformRemark, _ record: TraceRecord) {
    let device = record.device
    let text = "\(name(device)) does not scan: \(remark.text)"
    devices[device].search.scan = nil
    close(record) { $0.device == device && [.filterMismatch, .notFound].contains($0.kind) }
    meetsAgain(.scanRefused, peer: nil, text, within: .seconds(2), record)
  }

  /// A link has ended: what the app makes of it is its own business now.
  mutating func roomIsFree(_ record: TraceRecord) {
    let device = record.device
    guard let place = open.first(where: { isOpen($0, .noRoom, device) }), devices[device].refusedRoom == nil else {
      return
    }
    devices[device].refusedRoom = kept[place].text
    kept[place].text +=
      "; a link is free since \(record.instant.milliseconds) s, and its app has not asked to advertise again"
  }

  mutating func asksForRoom(_ record: TraceRecord) {
    let device = record.device
    guard let text = devices[device].refusedRoom, let place = open.first(where: { isOpen($0, .noRoom, device) }) else {
      return
    }
    kept[place].text = text
    devices[device].refusedRoom = nil
  }
}
