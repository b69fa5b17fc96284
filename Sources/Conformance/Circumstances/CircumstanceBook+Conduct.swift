import AppSeam
import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel

/// What apps do and leave undone that is seen from what they are told and ask for: whether they look for others, what
/// they end by themselves, what they subscribe to, and what they are refused.
extension CircumstanceBook {
  mutating func readConduct(_ input: AppInput, _ record: TraceRecord) {
    let device = record.device
    note(input, record)
    switch input {
    case .connected(let link, _):
      devices[device].search.hasBegun = true
      for remark in devices[device].early where remark.link == link { read(remark, record) }
      devices[device].early.removeAll { $0.link == link }
      close(record) { $0.device == device && [.idle, .notFound, .connecting].contains($0.kind) }
      leftAgain(input, record)
    case .connectFailed:
      close(record) { $0.device == device && $0.kind == .connecting }
      becomesIdle(record)
    case .disconnected, .radioPower(true), .launched: becomesIdle(record)
    case .discovered(let advertisement): found(advertisement.address, record)
    case .gap(.heard(let heard)): found(heard.advertisement.address, record)
    case .servicesDiscovered(let link, _, let found):
      devices[device].change(link) { known in
        known.hasDiscovered = true
        known.found += found.filter { new in !known.found.contains { $0.uuid == new.uuid } }
      }
    case .gatt(.characteristics(let link, of: _, let found, error: nil)):
      devices[device].change(link) {
        $0.hasDiscovered = true
        $0.found += found.map {
          ServiceDefinition.Characteristic(uuid: $0.uuid, properties: .init(rawValue: $0.properties))
        }
      }
    case .subscribed(let link, let type, false):
      if devices[device].link(link)?.isCentral == true, !devices[device].wasUnsubscribed(type, link) {
        refused(.subscription, "a subscription to \(type)", nil, link, type, record)
      }
    case .gatt(.configured(let link, _, let type, true, error: .some(let error))):
      refused(.subscription, "a subscription to \(type)", error, link, type, record)
    case .writeCompleted(let link, let type, .some(let error)),
      .gatt(.valueWritten(let link, _, let type, error: .some(let error))):
      refused(.write, "a write to \(type)", error, link, type, record)
    case .subscribed(let link, _, true), .gatt(.configured(let link, _, _, true, error: nil)):
      accepted(.subscription, link, record)
    case .writeCompleted(let link, _, nil), .gatt(.valueWritten(let link, _, _, error: nil)):
      accepted(.write, link, record)
    case .attMTU(let link, _): exchanged(link, record)
    case .readyToSend(let link): mayGoOn(link, record)
    default: break
    }
  }

  mutating func readConduct(_ effect: AppEffect, _ record: TraceRecord) {
    let device = record.device
    answersUser(effect, record)
    switch effect {
    case .scan(let services): scans(services, record)
    case .gap(.scan(let request)): scans(request.services, record)
    case .stopScanning:
      devices[device].search.scan = nil
      close(record) { $0.device == device && ($0.kind == .filterMismatch || $0.kind == .notFound) }
      becomesIdle(record)
    case .advertise(let request): advertises(request.serviceUUIDs, record)
    case .gap(.advertise(let data, let scanResponse)):
      advertises(
        HeardAdvertiser(
          Advertisement(address: header.devices[device].address, data: data, scanResponse: scanResponse, rssi: 0)
        ).advertisement.serviceUUIDs, record)
    case .stopAdvertising:
      devices[device].search.advertised = nil
      close(record) { $0.peer == device && ($0.kind == .filterMismatch || $0.kind == .notFound) }
      becomesIdle(record)
    case .connect(let address):
      devices[device].search.hasBegun = true
      close(record) { $0.device == device && ($0.kind == .idle || $0.kind == .connecting) }
      if let peer = index(of: address) {
        isOther(peer, record)
        add(
          .connecting, peer: peer, link: nil,
          "the app of \(name(device)) has asked for a link with \(name(peer)), and there is none", record)
      }
    case .cancelConnect(let address):
      close(record) { $0.device == device && $0.kind == .connecting }
      devices[device].connects.removeAll { $0 == address }
      becomesIdle(record)
    case .disconnect(let link): endsLink(link, record)
    case .subscribe(let link, let type, false), .gatt(.configure(let link, _, let type, false)):
      unsubscribes(link, type, record)
    case .writeWithoutResponse(let link, let type, let octets),
      .gatt(.writeWithoutResponse(let link, _, let type, let octets)):
      writesWrongly(link, type, record)
      sends(on: link, record)
      counts(octets, on: link, record)
    case .notify(let link, _, let octets), .gatt(.notify(let link, _, _, let octets)):
      sends(on: link, record)
      counts(octets, on: link, record)
    case .exchangeMTU(let link, _): exchanged(link, record)
    default: break
    }
  }

  // MARK: What an app was told last

  private mutating func note(_ input: AppInput, _ record: TraceRecord) {
    switch input {
    case .timer, .submitted, .gatt(.submitted), .gatt(.notifySubmitted), .valueReceived, .gatt(.notified): return
    case .user(let action): ordered(action, record)
    default: break
    }
    let link: LinkID? =
      switch input {
      case .connected(let link, _), .disconnected(let link, _), .attMTU(let link, _),
        .servicesDiscovered(let link, _, _), .subscribed(let link, _, _), .valueRead(let link, _, _),
        .writeCompleted(let link, _, _), .readyToSend(let link):
        link
      default: nil
      }
    let text = EventWords.of(input)
    devices[record.device].told = text
    if let link { devices[record.device].change(link) { $0.told = text } }
  }

  /// A person has done something with the app: what the app asks for next is its answer.
  private mutating func ordered(_ action: AppAction, _ record: TraceRecord) {
    let device = record.device
    devices[device].orderedAt = record.instant
    close(record) { $0.device == device && ($0.kind == .userUnanswered || $0.kind == .otherPeer) }
    let text = "\(action)"
    devices[device].wanted = header.devices.firstIndex { text.contains($0.address.description) }.map { ($0, text) }
    add(
      .userUnanswered, peer: nil, link: nil,
      "the app of \(name(device)) was told by its user: \(text), and has sent and asked for nothing since", record)
  }

  /// Its person has named another one.
  private mutating func isOther(_ peer: Int, _ record: TraceRecord) {
    let device = record.device
    guard let wanted = devices[device].wanted, wanted.device != peer else { return }
    add(
      .otherPeer, peer: peer, link: nil,
      "the app of \(name(device)) was told by its user: \(wanted.action), and connects to \(name(peer))", record)
    devices[device].wanted = nil
  }

  /// Whatever the app asks for, except timers and what it shows and keeps.
  mutating func answersUser(_ effect: AppEffect, _ record: TraceRecord) {
    switch effect {
    case .setTimer, .cancelTimer, .report, .keep, .keepMore: return
    default: close(record) { $0.device == record.device && $0.kind == .userUnanswered }
    }
  }

  // MARK: Looking for others

  private mutating func becomesIdle(_ record: TraceRecord) {
    let device = record.device
    guard devices[device].isIdle, !open.contains(where: { isOpen($0, .idle, device) }) else { return }
    let told = devices[device].told
    add(
      .idle, peer: nil, link: nil,
      "the app of \(name(device)) neither scans, advertises nor connects"
        + (told.isEmpty ? "" : ", since it was told: \(told)"), record)
  }

  private mutating func scans(_ services: [BluetoothUUID], _ record: TraceRecord) {
    let device = record.device
    devices[device].search.scan = services
    devices[device].search.hasBegun = true
    close(record) { $0.device == device && [.idle, .filterMismatch, .notFound].contains($0.kind) }
    for peer in header.devices.indices { compare(device, peer, record) }
  }

  private mutating func advertises(_ services: [BluetoothUUID], _ record: TraceRecord) {
    let device = record.device
    devices[device].search.advertised = services
    devices[device].search.hasBegun = true
    close(record) { $0.device == device && $0.kind == .idle }
    close(record) { $0.peer == device && [.filterMismatch, .notFound].contains($0.kind) }
    for scanner in header.devices.indices { compare(scanner, device, record) }
  }

  /// A device that scans and one that advertises, of the same lobby: what one looks for is not what the other shows, or
  /// it has not been found yet.
  private mutating func compare(_ scanner: Int, _ peer: Int, _ record: TraceRecord) {
    guard scanner != peer, let wanted = devices[scanner].search.scan, let shown = devices[peer].search.advertised,
      header.devices[scanner].speaks(to: header.devices[peer]),
      header.devices[scanner].lobby == header.devices[peer].lobby,
      !devices[scanner].links.contains(where: { $0.peer == peer })
    else { return }
    let isMismatch = !wanted.isEmpty && !wanted.contains(where: shown.contains)
    let names = { (uuids: [BluetoothUUID]) in
      uuids.isEmpty ? "no service" : uuids.map(\.description).joined(separator: ", ")
    }
    let text =
      isMismatch
      ? "the app of \(name(scanner)) scans for \(names(wanted)), and that of \(name(peer)) advertises \(names(shown))"
      : "the app of \(name(scanner)) scans and has not been told of \(name(peer)), which advertises"
    let kind = isMismatch ? Circumstance.Kind.filterMismatch : .notFound
    add(kind, of: scanner, peer: peer, link: nil, text, record)
  }

  private mutating func found(_ address: BluetoothAddress, _ record: TraceRecord) {
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

  // MARK: Links

  /// An app ends a link by itself, and not because its person has just said so.
  private mutating func endsLink(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let known = devices[device].link(link), let peer = known.peer else { return }
    // A person who leaves wants nothing more.
    guard devices[device].orderedAt != record.instant else { return devices[device].search.hasBegun = false }
    let count = devices[device].ended[peer, default: 0] + 1
    devices[device].ended[peer] = count
    let text =
      "the app of \(name(device)) has ended its link with \(name(peer)) by itself"
      + (count > 1 ? ", for the \(count). time" : "")
      + (known.told.isEmpty ? "" : ", after: \(known.told)\(known.foundText)")
    if let place = open.first(where: { isOpen($0, .leftLink, device) && kept[$0].peer == peer }) {
      kept[place].text = text
    } else {
      add(.leftLink, peer: peer, link: nil, text, record)
    }
  }

  /// A new link with a peer whose link the app has ended once or twice is a new try; then it is what the app does.
  private mutating func leftAgain(_ input: AppInput, _ record: TraceRecord) {
    guard case .connected(_, let address) = input, let peer = index(of: address) else { return }
    let device = record.device
    for (own, other) in [(device, peer), (peer, device)] where devices[own].ended[other, default: 0] < 3 {
      close(record) { $0.device == own && $0.peer == other && $0.kind == .leftLink }
    }
  }

  /// A link that listens rarely, whoever has asked for it.
  mutating func slowLink(_ remark: PlatformRemark, _ record: TraceRecord) {
    guard let link = remark.link else { return }
    let device = record.device
    let peer = devices[device].peer(of: link)
    let isKnown = open.contains { place in
      [.slowInterval, .slowLink].contains(kept[place].kind)
        && (kept[place].device == device || kept[place].device == peer)
    }
    if isKnown { return }
    let with = peer.map { " with \(name($0))" } ?? ""
    add(.slowLink, peer: peer, link: link, "the link of \(name(device))\(with): \(remark.text)", record)
  }

  mutating func timedOut(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let known = devices[device].link(link), let timeout = known.shortTimeout else { return }
    if open.contains(where: { isOpen($0, .shortTimeout, device) && kept[$0].peer == known.peer }) { return }
    let with = known.peer.map { " with \(name($0))" } ?? ""
    add(
      .shortTimeout, peer: known.peer, link: nil,
      "the link of \(name(device))\(with) ended for want of packets: \(timeout)",
      record)
  }

  // MARK: Values

  /// It has subscribed to a part of what it has found.
  mutating func missesSubscription(_ link: DeviceCircumstances.Link, _ record: TraceRecord) {
    let device = record.device
    guard let place = open.first(where: { isOpen($0, .notSubscribed, device) && kept[$0].link == link.id }) else {
      return
    }
    let names = { (uuids: [BluetoothUUID]) in uuids.map(\.description).joined(separator: ", ") }
    kept[place].text =
      "\(name(device)) has subscribed to \(names(link.subscribed)), and not to \(names(link.unsubscribed)), on link "
      + "\(link.id.rawValue)"
  }

  private mutating func unsubscribes(_ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord) {
    let device = record.device
    devices[device].change(link) { $0.subscribed.removeAll { $0 == type } }
    devices[device].unsubscribed.append((link, type))
    close(record) { $0.device == device && $0.link == link && $0.kind == .notSubscribed }
    add(
      .notSubscribed, peer: devices[device].peer(of: link), link: link,
      "the app of \(name(device)) has ended its subscription to \(type) on link \(link.rawValue)", record)
  }

  /// What the other end, or the own stack, does not take.
  private mutating func refused(
    _ operation: FailingOperation, _ what: String, _ error: UInt8?, _ link: LinkID, _ type: BluetoothUUID,
    _ record: TraceRecord
  ) {
    let device = record.device
    guard let known = devices[device].link(link) else { return }
    // It has another reason, which is known.
    if devices[device].failures.contains(where: { $0.operation == operation }) || error == 201 { return }
    if let peer = known.peer, devices[peer].failures.contains(where: { $0.operation == operation }) { return }
    if devices[device].refusals.contains(where: { $0.operation == operation && $0.peer == known.peer }) { return }
    var text = "\(what) of \(name(device)) on link \(link.rawValue) was refused"
    if let error { text += ": ATT error 0x\(String(hexadecimal: error, digits: 2, uppercase: true))" }
    if !known.hasDiscovered { text += ", no discovery had ended on that link" }
    if let found = known.found.first(where: { $0.uuid == type }) {
      text += "; its properties are \(found.properties.words)"
    }
    // A server that refuses has decided so; without an error nobody knows whose stack it was.
    let isServers = error != nil && known.peer != nil
    add(
      .requestRefused, of: isServers ? known.peer ?? device : device, peer: isServers ? device : known.peer, link: nil,
      text, record)
    if let place = open.last { devices[device].refusals.append((operation, known.peer, place)) }
  }

  private mutating func accepted(_ operation: FailingOperation, _ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    let peer = devices[device].peer(of: link)
    if let index = devices[device].refusals.firstIndex(where: { $0.operation == operation && $0.peer == peer }) {
      close(devices[device].refusals.remove(at: index).place, record)
    }
    close(record) { $0.device == device && $0.peer == peer && $0.kind == .leftLink }
  }

  /// There is room again for what was refused.
  private mutating func mayGoOn(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let value = devices[device].waiting(on: link),
      !open.contains(where: { isOpen($0, .notSentAgain, device) && kept[$0].link == link })
    else { return }
    let to = value.peer.map { " for \(name($0))" } ?? ""
    add(
      .notSentAgain, peer: value.peer, link: link,
      "\(name(device)) was refused a value of \(value.characteristic)\(to) at \(value.instant.milliseconds) s, was told"
        + " that there is room again, and has sent nothing since", record)
  }

  private mutating func sends(on link: LinkID, _ record: TraceRecord) {
    close(record) { $0.device == record.device && $0.link == link && $0.kind == .notSentAgain }
  }

  /// Values of 20 octets, one after the other, on a link whose ATT_MTU nobody has exchanged.
  private mutating func counts(_ octets: [UInt8], on link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard octets.count == 20, let known = devices[device].link(link), !known.hasExchanged else { return }
    devices[device].shortValues[link, default: 0] += 1
    guard devices[device].shortValues[link] == 8 else { return }
    let central = known.isCentral ? device : known.peer
    let who = central.map { "the app of \(name($0)) has" } ?? "nobody has"
    add(
      .smallMTU, peer: known.peer, link: link,
      "the ATT_MTU of the link of \(name(device))\(known.peer.map { " with \(name($0))" } ?? "") is 23, because"
        + " \(who) not asked for more: packets go in parts of 20 octets", record)
  }

  private mutating func exchanged(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    devices[device].change(link) { $0.hasExchanged = true }
    close(record) { $0.device == device && $0.link == link && $0.kind == .smallMTU }
  }

  /// A write command to a characteristic that has none.
  private mutating func writesWrongly(_ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord) {
    let device = record.device
    guard let found = devices[device].link(link)?.found.first(where: { $0.uuid == type }),
      !found.properties.contains(.writeWithoutResponse)
    else { return }
    mistake(
      .wrongWrite, link,
      " writes without response to \(type), whose properties are \(found.properties.words), and which its peer ignores",
      record
    )
  }
}

extension DeviceCircumstances {
  /// Whether the app has just asked not to be subscribed to something.
  mutating func wasUnsubscribed(_ type: BluetoothUUID, _ link: LinkID) -> Bool {
    guard let place = unsubscribed.firstIndex(where: { $0.link == link && $0.type == type }) else { return false }
    unsubscribed.remove(at: place)
    return true
  }
}

extension DeviceCircumstances.Link {
  /// What a discovery has found, where that is what the app was told last.
  fileprivate var foundText: String {
    guard told.contains("characteristic"), !found.isEmpty else { return "" }
    return " (" + found.prefix(6).map { "\($0.uuid): \($0.properties.words)" }.joined(separator: "; ") + ")"
  }
}

extension ServiceDefinition.Properties {
  /// For people: `read, notify`.
  fileprivate var words: String {
    let all: [(Self, String)] = [
      (.read, "read"), (.writeWithoutResponse, "write without response"), (.write, "write"), (.notify, "notify"),
      (.indicate, "indicate"),
    ]
    let names = all.filter { contains($0.0) }.map(\.1)
    return names.isEmpty ? "none of these" : names.joined(separator: ", ")
  }
}
