import AppSeam
import Bench
package import BluetoothWire
import Judging
import Platform
import SimKernel

/// Subscriptions, writes and values: what is left out, refused, or goes in small parts.
extension CircumstanceBook {
  package static func list(_ uuids: [BluetoothUUID]) -> String { uuids.map(\.description).joined(separator: ", ") }

  /// It has subscribed to a part of what it has found.
  mutating func missesSubscription(_ link: DeviceCircumstances.Link, _ record: TraceRecord) {
    let device = record.device
    guard let place = open.first(where: { isOpen($0, .notSubscribed, device) && kept[$0].link == link.id }) else {
      return
    }
    kept[place].text =
      "\(name(device)) has subscribed to \(Self.list(link.subscribed)), and not to \(Self.list(link.unsubscribed)), on link "
      + "\(link.id.rawValue)" + link.lacking.map(\.words).joined()
  }

  /// A subscription was refused, or has failed: the app that goes on lacks what it would have been sent.
  private mutating func lacks(
    _ type: BluetoothUUID, _ error: UInt8?, _ link: DeviceCircumstances.Link, _ record: TraceRecord
  ) {
    let device = record.device
    let order = devices[device].failures.places(.subscription, with: link.peer).first.map { place in
      kept[place].text.prefix { $0 != ";" }.dropFirst(name(device).count + 2)
    }
    let why = error.map { ": ATT error \(ATT.ErrorCode($0).text)" } ?? order.map { ": \($0)" } ?? ""
    let words =
      "; its subscription to \(type) was refused at \(record.instant.milliseconds) s\(why), and it has not asked for it"
      + " again"
    devices[device].change(link.id) { known in
      known.lacking.removeAll { $0.type == type }
      known.lacking.append((type, words))
    }
    for place in open where isOpen(place, .notSubscribed, device) && kept[place].link == link.id {
      kept[place].text += words
    }
  }

  mutating func subscribesAgain(to type: BluetoothUUID, on link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let words = devices[device].link(link)?.lacking.first(where: { $0.type == type })?.words else { return }
    devices[device].change(link) { $0.lacking.removeAll { $0.type == type } }
    for place in open where isOpen(place, .notSubscribed, device) && kept[place].link == link {
      kept[place].text.replace(words, with: "")
    }
  }

  /// A discovery has ended without a result, so that there is nothing to subscribe to.
  mutating func findsNothing(of service: BluetoothUUID, on link: LinkID, _ record: TraceRecord) {
    let device = record.device
    for place in open where isOpen(place, .notSubscribed, device) && kept[place].link == link {
      kept[place].text =
        "\(name(device)) has looked for service \(service) on link \(link.rawValue) and found nothing of it, so that it"
        + " has not subscribed to anything" + unpublished(service, devices[device].peer(of: link))
    }
  }

  static let asksNothing = ", and its app has asked for nothing on it"
  static let asksNoMTU = ", not even for the ATT_MTU"

  /// The app of a central asks for something on a link.
  mutating func asks(on link: LinkID, _ record: TraceRecord) {
    for place in open where isOpen(place, .notSubscribed, record.device) && kept[place].link == link {
      for words in [Self.asksNoMTU, Self.asksNothing] { kept[place].text.replace(words, with: "") }
    }
  }

  mutating func unsubscribes(_ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord) {
    let device = record.device
    devices[device].change(link) { $0.subscribed.removeAll { $0 == type } }
    devices[device].unsubscribed.append((link, type))
    close(record) { $0.device == device && $0.link == link && $0.kind == .notSubscribed }
    add(
      .notSubscribed, peer: devices[device].peer(of: link), link: link,
      "the app of \(name(device)) has ended its subscription to \(type) on link \(link.rawValue)", record)
  }

  /// What the other end, or the own stack, does not take.
  mutating func refused(
    _ operation: FailingOperation, _ what: String, _ error: UInt8?, _ link: LinkID, _ type: BluetoothUUID,
    _ record: TraceRecord
  ) {
    let device = record.device
    guard let known = devices[device].link(link) else { return }
    if operation == .subscription { lacks(type, error, known, record) }
    // It has another reason, which is known.
    if devices[device].failures.has(operation) || error == 201 { return }
    if let peer = known.peer, devices[peer].failures.has(operation) { return }
    if devices[device].refusals.has(operation, with: known.peer, type) { return }
    var text = "\(what) of \(name(device)) on link \(link.rawValue) was refused"
    if let error { text += ": ATT error \(ATT.ErrorCode(error).text)" }
    if !known.hasDiscovered { text += ", no discovery had ended on that link" }
    if let found = known.found.first(where: { $0.uuid == type }) {
      text += "; its properties are \(found.properties.words)"
      let fitting: ServiceDefinition.Properties =
        operation == .read ? [.read] : operation == .write ? [.write, .writeWithoutResponse] : [.notify, .indicate]
      let others = known.found.filter { !$0.properties.isDisjoint(with: fitting) }.map(\.uuid)
      if found.properties.isDisjoint(with: fitting), !others.isEmpty {
        text += ", and \(Self.list(others)) would take it"
      }
    }
    let isGuarded = known.peer.map { phones[$0].encrypted.contains(type) } ?? false
    if text.hasSuffix("was refused") || error == 0x0A || error == 0x01 { text += placement(of: type, known) }
    if let peer = known.peer, isGuarded { text += "; the app of \(name(peer)) allows it on encrypted links only" }
    // A server that refuses has decided so; without an error nobody knows whose stack it was, but of what is guarded.
    let isServers = (error != nil || isGuarded) && known.peer != nil
    add(
      .requestRefused, of: isServers ? known.peer ?? device : device, peer: isServers ? device : known.peer, link: nil,
      text, record)
    if let place = open.last { devices[device].refusals.insert(operation, with: known.peer, type, at: place) }
  }

  mutating func accepted(
    _ operation: FailingOperation, _ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord
  ) {
    let device = record.device
    let peer = devices[device].peer(of: link)
    if let place = devices[device].refusals.remove(operation, with: peer, type) { close(place, record) }
    close(record) { $0.device == device && $0.peer == peer && $0.kind == .leftLink }
  }

  /// There is room again for what was refused.
  mutating func mayGoOn(_ link: LinkID, _ record: TraceRecord) {
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

  mutating func sends(on link: LinkID, _ record: TraceRecord) {
    close(record) {
      $0.device == record.device && $0.kind == .notSentAgain && ($0.link.map { $0 == link } ?? true)
    }
  }

  /// A link ends on which the platform had no room for a value: an app that has one queue for all its links may wait
  /// for room on it without end.
  mutating func endsWhileRefused(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard let value = devices[device].waiting(on: link), let peer = value.peer,
      devices[device].links.contains(where: { $0.id != link && !$0.isCentral && !$0.subscribed.isEmpty })
    else { return }
    add(
      .notSentAgain, peer: nil, link: nil,
      "\(name(device)) was refused a value for \(name(peer)) at \(value.instant.milliseconds) s (the queue was full);"
        + " that link has ended since, and it has sent nothing on its other links", record)
  }

  /// Values of 20 octets, one after the other, on a link whose ATT_MTU nobody has exchanged.
  mutating func counts(_ octets: [UInt8], on link: LinkID, _ record: TraceRecord) {
    let device = record.device
    guard octets.count == 20, let known = devices[device].link(link), !known.hasExchanged else { return }
    devices[device].change(link) { $0.shortValues += 1 }
    // This one is the eighth.
    guard known.shortValues == 7 else { return }
    let central = known.isCentral ? device : known.peer
    let who = central.map { "the app of \(name($0)) has" } ?? "nobody has"
    add(
      .smallMTU, peer: known.peer, link: link,
      "the ATT_MTU of the link of \(name(device))\(with(known.peer)) is 23, because"
        + " \(who) not asked for more: packets go in parts of 20 octets", record)
  }

  mutating func exchanged(_ link: LinkID, _ record: TraceRecord) {
    let device = record.device
    devices[device].change(link) { $0.hasExchanged = true }
    for place in open where isOpen(place, .notSubscribed, device) && kept[place].link == link {
      kept[place].text.replace(Self.asksNoMTU, with: "")
    }
    close(record) { $0.device == device && $0.link == link && $0.kind == .smallMTU }
  }

  /// A write command to a characteristic that has none.
  mutating func writesWrongly(_ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord) {
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
