import AppSeam
package import Bench
import BluetoothWire
import Judging
import Platform
import SimKernel
import VirtualRadio

/// What platforms, stacks and links of a run know, as far as it has been read; asked afterwards, or while it goes on.
///
/// It keeps at most `limit` circumstances, the first of them, and one mistake of a kind for a link.
package struct CircumstanceBook: Sendable {
  private static let limit = 4_096
  /// Connection intervals from here on are long, in units of 1.25 ms: 300 ms.
  private static let longInterval: UInt16 = 240
  /// What comes later is not held up by a row of requests.
  private static let rowIsOver = SimDuration.seconds(2)
  private static let encrypted: AttributePermissions = [.readEncrypted, .writeEncrypted, .configureEncrypted]

  var header = TraceHeader(scenario: "", seed: 0, devices: [], options: [])
  var devices: [DeviceCircumstances] = []
  var phones: [Phone] = []
  var air = Air()
  var kept: [Circumstance] = []
  /// Rows of requests, in `kept`, and when the newest one of each was answered.
  var rows: [(place: Int, newest: SimInstant)] = []
  /// Places in `kept`.
  private(set) var open: [Int] = []
  /// At most `limit`, the first of them.
  private(set) var spans: [LinkSpan] = []

  package init() {}

  package mutating func begin(_ header: TraceHeader) {
    self.header = header
    devices = header.devices.map { _ in DeviceCircumstances() }
    phones = header.devices.map { _ in Phone() }
  }

  /// What is known so far.
  package var circumstances: Circumstances {
    let unsent = devices.indices.flatMap { device in
      devices[device].refused.filter(\.isOvertaken).map { refusedLost($0, device) }
    }
    let hasLeft = devices.indices.filter { devices[$0].links.isEmpty && !devices[$0].search.hasBegun }
    var known = kept
    for place in open { known[place].text += unheard(known[place]) }
    for (place, newest) in rows {
      let end = newest + Self.rowIsOver
      if known[place].end.map({ $0 > end }) ?? true { known[place].end = end }
    }
    return Circumstances(known + unsent, links: spans, hasLeft: Set(hasLeft), gone: phones.map(\.gone), header)
  }

  package mutating func read(_ record: TraceRecord) {
    guard devices.indices.contains(record.device), kept.count < Self.limit else { return }
    switch record.event {
    case .input(let input):
      fires(input, record)
      read(input, record)
      readConduct(input, record)
      listens(input, record)
    case .effect(let effect):
      read(effect, record)
      readConduct(effect, record)
      reacts(record)
    case .platform(let remark): read(remark, record)
    case .report(let report):
      reacts(record)
      devices[record.device].shown = (report, record.instant)
      if let word = report.among(CallWord.self), word.isMisuse { mistake(.misuse, nil, ": \(word.text)", record) }
    case .fault(let fault): read(fault, record)
    case .radio(.air(let pdu)): read(pdu, record)
    case .radio, .network, .step, .expectation: break
    }
  }

  // MARK: What the platform tells

  private mutating func read(_ input: AppInput, _ record: TraceRecord) {
    switch input {
    case .launched: allGone(record)
    case .radioPower(let isOn):
      phones[record.device].isRadioOff = !isOn
      if !isOn { allGone(record) }
    case .discovered(let advertisement): found(advertisement, record)
    case .gap(.heard(let heard)), .gap(.heardExtended(let heard, _, _, _)):
      if heard.isConnectable { found(heard.advertisement, record) }
    case .connected(let link, let peer): connected(link, peer, record)
    case .disconnected(let link, let reason): disconnected(link, reason, record)
    case .advertisingStarted(true): close(record) { $0.device == record.device && $0.kind == .noRoom }
    case .valueReceived(let link, let type, _), .gatt(.writesAsked(_, let link, let type, _, needsAnswer: false)):
      takesCommand(link, type, record)
      hasGiven(type, link, record)
      isHeard(link, record)
      endFailures(link, .write, record)
    case .background(isSuspended: false): phones[record.device].hidden.removeAll()
    case .servicesDiscovered(let link, _, let found):
      if !found.isEmpty { endFailures(link, .discovery, record) }
    case .gatt(.services(let link, _, error: nil)): endFailures(link, .discovery, record)
    case .writeCompleted(let link, _, error: nil), .gatt(.valueWritten(let link, _, _, error: nil)):
      endFailures(link, .write, record)
    case .subscribed(let link, let type, true), .gatt(.configured(let link, _, let type, true, error: nil)),
      .gatt(.subscription(let link, _, let type, true)):
      subscribed(link, type, record)
    case .submitted(let link, let characteristic, let accepted): submitted(link, characteristic, accepted, record)
    case .gatt(.notifySubmitted(let link, _, let type, let accepted)),
      .gatt(.submitted(let link, _, let type, let accepted)):
      submitted(link, type, accepted, record)
    case .gatt(.readAsked(let request, let link, _, let type, let offset)):
      readAsked(request, link, type, offset, record)
      asked(request, link, "a read of \(type)", record)
    case .gatt(.writesAsked(let request, let link, let type, _, needsAnswer: true)):
      hasGiven(type, link, record)
      asked(request, link, "a write to \(type)", record)
    case .gatt(.partAsked(let request, let link, let type, _)):
      asked(request, link, "a part of a write to \(type)", record)
    case .gatt(.executeAsked(let request, let link, let type, _, _)):
      asked(request, link, "the end of a write to \(type)", record)
    default: break
    }
  }

  private mutating func found(_ advertisement: Advertisement, _ record: TraceRecord) {
    let device = record.device
    guard let peer = index(of: advertisement.address), header.devices[device].speaks(to: header.devices[peer]),
      !devices[device].links.contains(where: { $0.peer == peer })
    else { return }
    isToldMeanwhile(of: peer, record)
    // What was said first was so then; only the scan response, which comes right after it, may have the name.
    if let place = open.first(where: { isOpen($0, .notConnected, device) && kept[$0].peer == peer }) {
      if advertisement.localName != nil, record.instant - kept[place].begin < Self.oneEvent {
        kept[place].text = foundText(peer, advertisement, record)
      }
      return
    }
    add(.notConnected, peer: peer, link: nil, foundText(peer, advertisement, record), record)
  }

  /// An advertising event is over.
  private static let oneEvent = SimDuration.milliseconds(10)

  private func foundText(_ peer: Int, _ heard: Advertisement, _ record: TraceRecord) -> String {
    var called = ""
    if let name = devices[peer].search.localName, !name.isEmpty, name != heard.localName {
      called =
        (heard.localName.map { ", called “\(ShownText.oneLine($0))”" } ?? ", without a name")
        + " where its app advertises “\(ShownText.oneLine(name))”"
    }
    return
      "\(name(record.device)) was told of \(name(peer)) (\(heard.rssi) dBm, at \(record.instant.milliseconds) s"
      + "\(called)), and its app does not connect" + renewed(record.device, peer) + attempt(of: record.device, peer)
      + rarity(record.device, peer)
  }

  private mutating func connected(_ link: LinkID, _ address: BluetoothAddress, _ record: TraceRecord) {
    let device = record.device
    let peer = index(of: address)
    let isCentral = devices[device].connects.contains(address)
    devices[device].connects.removeAll { $0 == address }
    devices[device].links.append(
      DeviceCircumstances.Link(id: link, peer: peer, isCentral: isCentral, begin: record.instant))
    if let peer, spans.count < Self.limit {
      spans.append(LinkSpan(device: device, peer: peer, link: link, begin: record.instant))
    }
    close(record) {
      $0.device == device && [.notConnected, .givesUp, .noRoomForMore, .connectFails, .endIgnored].contains($0.kind)
        && $0.peer == peer
    }
    // It has outlived its link.
    let links = devices[device].links.map(\.id)
    close(record) {
      $0.device == device && $0.peer == peer && $0.kind == .notSubscribed && !($0.link.map(links.contains) ?? true)
    }
    close(record) { $0.peer == device && ($0.kind == .deadLink || $0.kind == .longTimeout) }
    endFailures(nil, .connect, record)
    guard isCentral else { return }
    isElsewhere(link, peer, record)
    let before = devices[device].lastSubscribed.map { ", as it had on link \($0.rawValue)" } ?? ""
    add(
      .notSubscribed, peer: peer, link: link,
      "\(name(device)) has not subscribed to anything on link \(link.rawValue)"
        + (before.isEmpty ? Self.asksNothing + Self.asksNoMTU : before), record)
  }

  private mutating func disconnected(_ link: LinkID, _ reason: HCI.ErrorCode, _ record: TraceRecord) {
    let device = record.device
    if reason == .connectionTimeout { timedOut(link, record) }
    endsForWantOfPackets(devices[device].peer(of: link), reason, record)
    isTold(ofEnd: link, reason, record)
    devices[device].lost = devices[device].link(link).flatMap { $0.isCentral ? $0.peer : nil }
    let isGivenUp = isGivenUp(link, reason, record)
    endsWhileRefused(link, record)
    devices[device].drop(link)
    end(record) { $0.link == link }
    close(record) { $0.device == device && $0.link == link && !(isGivenUp && $0.kind == .notSubscribed) }
    roomIsFree(record)
  }

  /// Whether an app at one end has ended a link that has lasted: that nothing was subscribed to on it stays true until
  /// there is another one.
  private mutating func isGivenUp(_ link: LinkID, _ reason: HCI.ErrorCode, _ record: TraceRecord) -> Bool {
    let isOwn = reason == .connectionTerminatedByLocalHost
    guard isOwn || reason == .remoteUserTerminatedConnection, let known = devices[record.device].link(link),
      record.instant - known.begin >= .seconds(5)
    else { return false }
    for place in open where isOpen(place, .notSubscribed, record.device) && kept[place].link == link {
      kept[place].text += ", which \(isOwn ? "it" : known.peer.map(name) ?? "the other end") has ended"
    }
    return true
  }

  /// A client has switched on what a server sends of a characteristic.
  mutating func isConfigured(_ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord) {
    subscribed(link, type, record)
    accepted(.subscription, link, type, record)
  }

  private mutating func subscribed(_ link: LinkID, _ type: BluetoothUUID, _ record: TraceRecord) {
    devices[record.device].lastSubscribed = link
    devices[record.device].change(link) {
      if !$0.subscribed.contains(type) { $0.subscribed.append(type) }
      $0.subscribedAt = record.instant
    }
    endFailures(link, .subscription, record)
    let peer = devices[record.device].peer(of: link)
    close(record) {
      $0.device == record.device && $0.peer == peer && ($0.kind == .bondLost || $0.kind == .staleServices)
    }
    // Who serves has nothing to subscribe to, and who has found nothing yet may not know of more.
    guard let known = devices[record.device].link(link), known.isCentral, !known.unsubscribed.isEmpty else {
      close(record) { $0.device == record.device && $0.link == link && $0.kind == .notSubscribed }
      return awaitsValues(link, record)
    }
    missesSubscription(known, record)
  }

  private mutating func submitted(
    _ link: LinkID, _ characteristic: BluetoothUUID, _ accepted: Bool, _ record: TraceRecord
  ) {
    let device = record.device
    guard let value = devices[device].answered(link, characteristic), !accepted else { return }
    // That nobody wants it is told by the platform, and another mistake.
    if devices[device].unwanted == link { return devices[device].unwanted = nil }
    // There is no link that it could be sent again on.
    guard devices[device].has(link) else { return }
    devices[device].refuses(
      DeviceCircumstances.Refused(
        link: link, peer: devices[device].peer(of: link), characteristic: characteristic, octets: value,
        instant: record.instant, record: record.sequence))
  }

  private mutating func asked(_ request: RequestID, _ link: LinkID, _ what: String, _ record: TraceRecord) {
    let device = record.device
    let peer = devices[device].peer(of: link)
    let who = peer.map { " of \(name($0))" } ?? ""
    isHeard(link, record)
    add(
      .requestUnanswered, peer: peer, link: link,
      "\(what)\(who) waits for an answer of the app of \(name(device))", record)
    if let place = open.last { devices[device].requests.append((request, place)) }
  }

  // MARK: What the app asks for

  private mutating func read(_ effect: AppEffect, _ record: TraceRecord) {
    let device = record.device
    switch effect {
    case .connect(let address):
      if !devices[device].connects.contains(address) { devices[device].connects.append(address) }
      let peer = index(of: address)
      close(record) { $0.device == device && $0.kind == .notConnected && $0.peer == peer }
    case .advertise, .gap(.advertise):
      close(record) { $0.device == device && $0.kind == .notAdvertising }
      asksForRoom(record)
    case .scan, .gap(.scan), .gap(.scanExtended), .stopScanning:
      close(record) { $0.device == device && $0.kind == .scanRefused }
    case .gatt(.publish(let service)):
      let guarded = service.characteristics.filter { !$0.permissions.isDisjoint(with: Self.encrypted) }
      phones[device].encrypted += guarded.map(\.uuid)
      publishes(service.uuid, service.characteristics.map(\.uuid), record)
    case .gatt(.unpublish): withdraws(record)
    case .publish(let service): publishes(service.uuid, service.characteristics.map(\.uuid), record)
    case .stopAdvertising: stopsAdvertising(record)
    case .notify(let link, let characteristic, let octets),
      .writeWithoutResponse(let link, let characteristic, let octets):
      devices[device].offers(octets, link, characteristic)
    case .gatt(.notify(let link, _, let type, let octets)),
      .gatt(.writeWithoutResponse(let link, _, let type, let octets)):
      devices[device].offers(octets, link, type)
    case .gatt(.answer(let request, let value, let error)):
      if error == nil { readAnswered(request, value, record) }
      guard let place = devices[device].requests.firstIndex(where: { $0.request == request }) else { return }
      close(devices[device].requests.remove(at: place).place, record)
    case .gap(.requestInterval(let link, let shortest, let longest)): interval(link, shortest, longest, record)
    default: break
    }
  }

  private mutating func stopsAdvertising(_ record: TraceRecord) {
    let device = record.device
    if open.contains(where: { isOpen($0, .notAdvertising, device) }) { return }
    let links = devices[device].links.count
    for place in open where kept[place].kind == .connecting && kept[place].peer == device {
      kept[place].text += "; \(name(device)) has stopped advertising at \(record.instant.milliseconds) s"
    }
    add(
      .notAdvertising, peer: nil, link: nil,
      "the app of \(name(device)) has stopped advertising, with"
        + " \(links == 0 ? "no link" : CountedNoun.text(links, "link"))"
        + (firedTimer(of: device).map { ", when \($0)" } ?? ""), record)
  }

  private mutating func interval(_ link: LinkID, _ shortest: UInt16, _ longest: UInt16, _ record: TraceRecord) {
    let device = record.device
    close(record) { $0.device == device && $0.link == link && $0.kind == .slowInterval }
    let milliseconds = (Int(shortest) * 5 / 4, Int(longest) * 5 / 4)
    let range = milliseconds.0 == milliseconds.1 ? "\(milliseconds.0)" : "\(milliseconds.0) to \(milliseconds.1)"
    devices[device].askedInterval = "\(range) ms"
    guard shortest >= Self.longInterval, longest >= shortest else { return }
    add(
      .slowInterval, peer: devices[device].peer(of: link), link: link,
      "the app of \(name(device)) has asked for a connection interval of \(range) ms on link \(link.rawValue)", record)
  }

  // MARK: What stacks notice

  mutating func read(_ remark: PlatformRemark, _ record: TraceRecord) {
    switch remark.kind {
    case .valueTruncated:
      let isLeast = remark.link.flatMap { devices[record.device].link($0) }.map { !$0.hasExchanged } ?? false
      let least = isLeast ? "; its ATT_MTU is 23, because nobody has asked for more" : ""
      mistake(
        .valueCut, remark.link, " offers more octets than a value of its link holds: \(remark.text)\(least)", record)
    case .valueUnwanted:
      devices[record.device].unwanted = remark.link
      let others = subscriptions(on: remark.link, of: record.device)
      mistake(.valueUnwanted, remark.link, " sends a value, but \(remark.text)\(others)", record)
      isOfBefore(remark.link, record)
    case .transactionTimeout:
      let isExplained = open.contains { place in
        kept[place].kind == .requestUnanswered && kept[place].peer == record.device
      }
      if !isExplained { mistake(.transactionTimeout, remark.link, ": \(remark.text)", record) }
    case .noRoomForLinks: noRoom(remark, record)
    case .slowLink, .shortTimeout, .longTimeout:
      guard let link = remark.link, devices[record.device].has(link) else {
        return devices[record.device].early.append(remark)
      }
      if remark.kind == .slowLink { return slowLink(remark, record) }
      devices[record.device].change(link) {
        if remark.kind == .longTimeout { $0.longTimeout = remark.text } else { $0.shortTimeout = remark.text }
      }
    case .parametersRefused:
      let device = record.device
      close(record) { $0.device == device && $0.link == remark.link && $0.kind == .slowInterval }
      add(
        .parametersRefused, peer: remark.link.flatMap { devices[device].peer(of: $0) }, link: remark.link,
        "\(remark.text) by the app of \(name(device))\(devices[device].askedInterval.map { ": \($0)" } ?? "")", record)
    case .operationRefused: mistake(.operationRefused, remark.link, ": \(remark.text)", record)
    case .bondLost, .staleServices:
      let kind = remark.kind == .bondLost ? Circumstance.Kind.bondLost : .staleServices
      let device = record.device
      let peer = remark.link.flatMap { devices[device].peer(of: $0) }
      if open.contains(where: { isOpen($0, kind, device) && kept[$0].peer == peer }) { return }
      // It is of no link, because it holds on the next ones too.
      add(kind, peer: peer, link: nil, "\(name(device)): \(remark.text)", record)
    case .scanRefused: scanRefused(remark, record)
    case .appSuspended, .appEnded:
      add(.suspended, peer: nil, link: nil, "\(remark.text) of \(name(record.device))", record)
    case .rareAdvertising, .rareScan, .hiddenInBackground:
      isRare(remark.text, record, isHidden: remark.kind == .hiddenInBackground)
    case .addressChanged: takesAddress(remark.text, record)
    case .advertisingRefused: advertisingRefused(remark, record)
    case .appWoken: close(record) { $0.device == record.device && $0.kind == .suspended }
    case .linkParameters:
      forgetInterval(of: remark.link, record.device)
      if let link = remark.link { devices[record.device].change(link) { $0.longTimeout = nil } }
    case .controllerFault, .protocolViolation, .advertisingTimeout: break
    }
  }

  /// What the scenario orders to fail, until something of the kind succeeds with that peer; the first of it. It is of
  /// no link, because an app that tries again has others.
  private mutating func failed(
    _ operation: FailingOperation, _ link: LinkID?, _ fault: FaultEvent, _ record: TraceRecord
  ) {
    let device = record.device
    let peer = link.flatMap { devices[device].peer(of: $0) }
    if let place = devices[device].failures.places(operation, with: peer).first {
      return awaitsRetry(of: operation, fault, peer, at: place, record)
    }
    add(.failedOnOrder, peer: peer, link: nil, "\(name(device)): \(EventWords.of(fault))", record)
    guard let place = open.last else { return }
    devices[device].failures.insert(operation, with: peer, at: place)
    awaitsRetry(of: operation, fault, peer, at: place, record)
  }

  mutating func endFailures(_ link: LinkID?, _ operation: FailingOperation, _ record: TraceRecord) {
    let device = record.device
    guard devices[device].failures.has(operation) else { return }
    let peer = link.flatMap { devices[device].peer(of: $0) }
    if let place = devices[device].failures.remove(operation, with: peer) { close(place, record) }
  }

  private mutating func read(_ fault: FaultEvent, _ record: TraceRecord) {
    switch fault {
    case .vanish, .kill, .radioOff:
      let search = devices[record.device].search
      allGone(record)
      // A phone out of range goes on with what its app has asked for.
      if fault == .vanish { devices[record.device].search = search }
      isGone(record)
      isKept(record)
      if fault == .vanish { phones[record.device].gone = record.instant }
    case .appear:
      phones[record.device].gone = nil
      for other in header.devices.indices {
        compare(other, record.device, record)
        compare(record.device, other, record)
      }
    case .failure(let operation, let link, _, _): failed(operation, link, fault, record)
    default: break
    }
  }

  /// Links, wishes and requests of a device are over.
  private mutating func allGone(_ record: TraceRecord) {
    close(record) { $0.device == record.device }
    end(record) { _ in true }
    phones[record.device].servicesGone = record.instant
    let before = devices[record.device]
    devices[record.device] = DeviceCircumstances()
    devices[record.device].lastSubscribed = before.lastSubscribed
    // An app that was there before Bluetooth went off is to look for others again.
    if case .input(.launched) = record.event { return }
    devices[record.device].search.hasBegun = before.search.hasBegun
    devices[record.device].timers = before.timers
  }

  /// Whether a device has had a link, in any launch of its app.
  func hadLink(_ device: Int) -> Bool { spans.contains { $0.device == device } }

  // MARK: Bookkeeping

  func name(_ device: Int) -> String { header.name(of: device) }

  /// ` with NAME`; nothing for a stranger.
  func with(_ peer: Int?) -> String { peer.map { " with \(name($0))" } ?? "" }

  /// Whether a place of `open` is of a kind and of a device.
  func isOpen(_ place: Int, _ kind: Circumstance.Kind, _ device: Int) -> Bool {
    kept[place].kind == kind && kept[place].device == device
  }

  func index(of address: BluetoothAddress) -> Int? { header.device(at: address) }

  /// - Parameter text: after the device's name.
  mutating func mistake(_ kind: Circumstance.Kind, _ link: LinkID?, _ text: String, _ record: TraceRecord) {
    if kept.contains(where: { $0.kind == kind && $0.device == record.device && $0.link == link }) { return }
    kept.append(
      Circumstance(
        kind: kind, device: record.device, peer: link.flatMap { devices[record.device].peer(of: $0) }, link: link,
        begin: record.instant, end: nil, text: name(record.device) + text, record: record.sequence))
  }

  private func refusedLost(_ value: DeviceCircumstances.Refused, _ device: Int) -> Circumstance {
    let to = value.peer.map { " for \(name($0))" } ?? " on link \(value.link.rawValue)"
    return Circumstance(
      kind: .refusedValueLost, device: device, peer: value.peer, link: value.link, begin: value.instant, end: nil,
      text: "\(name(device)) went on after its platform had refused a value of \(value.characteristic)\(to)"
        + " (the queue was full), and never sent it again", record: value.record)
  }

  /// - Parameter device: nil: that of the record.
  mutating func add(
    _ kind: Circumstance.Kind, of device: Int? = nil, peer: Int?, link: LinkID?, _ text: String, _ record: TraceRecord
  ) {
    open.append(kept.count)
    kept.append(
      Circumstance(
        kind: kind, device: device ?? record.device, peer: peer, link: link, begin: record.instant, end: nil,
        text: text, record: record.sequence))
  }

  /// What is open already of that kind, peer and link is said in newer words; else it begins.
  mutating func say(
    _ kind: Circumstance.Kind, peer: Int?, link: LinkID?, _ text: String, _ record: TraceRecord
  ) {
    let known = open.first {
      isOpen($0, kind, record.device) && kept[$0].peer == peer && kept[$0].link == link
    }
    guard let known else { return add(kind, peer: peer, link: link, text, record) }
    kept[known].text = text
  }

  /// What an app meets again right after it had ended goes on, in newer words; else it begins.
  mutating func meetsAgain(
    _ kind: Circumstance.Kind, peer: Int?, _ text: String, within pause: SimDuration, _ record: TraceRecord
  ) {
    let before = kept.lastIndex { $0.kind == kind && $0.device == record.device && $0.peer == peer }
    guard let before, let end = kept[before].end, record.instant - end <= pause else {
      return add(kind, peer: peer, link: nil, text, record)
    }
    kept[before].end = nil
    kept[before].text = text
    open.append(before)
  }

  mutating func close(_ record: TraceRecord, _ isMeant: (Circumstance) -> Bool) {
    for place in open where isMeant(kept[place]) {
      kept[place].end = record.instant
      kept[place].text += unheard(kept[place])
    }
    open.removeAll { kept[$0].end != nil }
  }

  /// Ends links of the device that a record is of.
  private mutating func end(_ record: TraceRecord, _ isMeant: (LinkSpan) -> Bool) {
    for place in spans.indices
    where spans[place].device == record.device && spans[place].end == nil && isMeant(spans[place]) {
      spans[place].end = record.instant
    }
  }

  mutating func close(_ place: Int, _ record: TraceRecord) {
    kept[place].end = record.instant
    open.removeAll { $0 == place }
  }
}
