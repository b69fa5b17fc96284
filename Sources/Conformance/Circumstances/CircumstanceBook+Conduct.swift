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
    devices[device].answeredOn = input.answeredLink
    switch input {
    case .connected(let link, _):
      devices[device].search.hasBegun = true
      if case .connected(_, let address) = input, let peer = index(of: address) { devices[device].failed[peer] = nil }
      for remark in devices[device].early where remark.link == link { read(remark, record) }
      devices[device].early.removeAll { $0.link == link }
      close(record) { $0.device == device && [.idle, .notFound, .connecting].contains($0.kind) }
      leftAgain(input, record)
    case .connectFailed(let address, let reason):
      close(record) { $0.device == device && $0.kind == .connecting }
      devices[device].connects.removeAll { $0 == address }
      if reason == .connectionLimitExceeded { hasLinksEnough(address, record) }
      failsToConnect(address, reason, record)
      becomesIdle(record)
      // An app that does not try again has no failures any more; one that cannot goes on failing.
      let isIdle = open.contains { isOpen($0, .idle, device) }
      // Who has tried again may only pause.
      if isIdle, !devices[device].retried.contains(.connect) { endFailures(nil, .connect, record) }
    case .disconnected, .radioPower(true), .launched: becomesIdle(record)
    case .discovered(let advertisement): found(advertisement.address, record)
    case .gap(.heard(let heard)), .gap(.heardExtended(let heard, _, _, _)): found(heard.advertisement.address, record)
    case .servicesDiscovered(let link, let service, let found):
      if found.isEmpty { findsNothing(of: service, on: link, record) }
      devices[device].change(link) { known in
        known.hasDiscovered = true
        known.services.append(service)
        known.found += found.filter { new in !known.found.contains { $0.uuid == new.uuid } }
      }
    case .gatt(.characteristics(let link, of: let service, let found, error: nil)):
      devices[device].change(link) {
        $0.hasDiscovered = true
        $0.services.append(service.uuid)
        $0.handles += found
        $0.found += found.map {
          ServiceDefinition.Characteristic(uuid: $0.uuid, properties: .init(rawValue: $0.properties))
        }
      }
      missesService(link, record)
    case .subscribed(let link, let type, false), .gatt(.subscription(let link, _, let type, false)):
      devices[device].change(link) { known in
        known.subscribed.removeAll { $0 == type }
        if !known.isCentral { known.unsubscribedAt = record.instant }
      }
      if devices[device].link(link)?.subscribed.isEmpty ?? true {
        close(record) { $0.device == device && $0.link == link && $0.kind == .linkUnserved }
      }
      if devices[device].link(link)?.isCentral == true, !devices[device].wasUnsubscribed(type, link) {
        refused(.subscription, "a subscription to \(type)", nil, link, type, record)
      }
    case .valueRead(let link, let type, nil):
      refused(.read, "a read of \(type)", nil, link, type, record)
      answered(link, record)
    case .gatt(.valueRead(let link, _, let type, _, error: .some(let error))):
      refused(.read, "a read of \(type)", error, link, type, record)
      answered(link, record)
    case .valueRead(let link, let type, .some), .gatt(.valueRead(let link, _, let type, _, error: nil)):
      accepted(.read, link, type, record)
      answered(link, record)
    case .gatt(.published(let key, error: .some(let error))):
      platformRefuses(
        "service \(key.rawValue) that its app publishes: ATT error \(ATT.ErrorCode(error).text)", nil, record)
    case .gap(.paired(let link, error: .some(let error))):
      platformRefuses("a pairing on link \(link.rawValue): reason \(hexNumber(error, digits: 2))", link, record)
    case .channel(.opened(let link, let psm, nil)):
      platformRefuses("a channel of PSM \(psm) on link \(link.rawValue)", link, record)
    case .gatt(.configured(let link, _, let type, true, error: .some(let error))):
      refused(.subscription, "a subscription to \(type)", error, link, type, record)
    case .gatt(.valueWritten(let link, let handle, BluetoothUUID.clientCharacteristicConfiguration, let error)):
      configured(link, handle, error, record)
      answered(link, record)
    case .writeCompleted(let link, let type, .some(let error)),
      .gatt(.valueWritten(let link, _, let type, error: .some(let error))):
      refused(.write, "a write to \(type)", error, link, type, record)
      answered(link, record)
    case .subscribed(let link, let type, true), .gatt(.configured(let link, _, let type, true, error: nil)):
      accepted(.subscription, link, type, record)
    case .writeCompleted(let link, let type, nil), .gatt(.valueWritten(let link, _, let type, error: nil)):
      accepted(.write, link, type, record)
      answered(link, record)
    case .gatt(.servicesChanged(let link, _, _)): servicesChange(link, record)
    case .attMTU(let link, _): exchanged(link, record)
    case .readyToSend(let link): mayGoOn(link, record)
    default: break
    }
  }

  private func services(of device: Int, in data: [UInt8], _ scanResponse: [UInt8]) -> [BluetoothUUID] {
    Advertisement(address: header.devices[device].address, data: data, scanResponse: scanResponse, rssi: 0).serviceUUIDs
  }

  mutating func readConduct(_ effect: AppEffect, _ record: TraceRecord) {
    let device = record.device
    answersUser(effect, record)
    if let link = effect.usedLink {
      uses(link, record)
      crosses(to: link, record)
    }
    tries(effect, record)
    if let link = effect.usedLink ?? effect.otherLink { asks(on: link, record) }
    switch effect {
    case .scan(let services): scans(services, record)
    case .gap(.scan(let request)), .gap(.scanExtended(let request, _)): scans(request.services, record)
    case .stopScanning:
      devices[device].search.scan = nil
      close(record) { $0.device == device && ($0.kind == .filterMismatch || $0.kind == .notFound) }
      becomesIdle(record)
    case .advertise(let request):
      devices[device].search.localName = request.localName
      advertises(request.serviceUUIDs, record)
    case .gap(.advertise(let data, let scanResponse)):
      advertises(services(of: device, in: data, scanResponse), record)
    case .gap(.advertiseSet(let request)):
      let others = devices[device].search.advertised ?? []
      advertises(others + services(of: device, in: request.data, request.scanResponse), record)
    case .gap(.advertiseExtended(let request)):
      let others = devices[device].search.advertised ?? []
      advertises(others + services(of: device, in: request.data, request.scanResponse), record)
    case .stopAdvertising:
      devices[device].search.advertised = nil
      close(record) { $0.peer == device && ($0.kind == .filterMismatch || $0.kind == .notFound) }
    case .connect(let address):
      devices[device].search.hasBegun = true
      close(record) { $0.device == device && ($0.kind == .idle || $0.kind == .connecting) }
      looks(record)
      if let peer = index(of: address) {
        isOther(peer, record)
        devices[device].askedForLink[peer] = record.instant
        meetsAgain(
          .connecting, peer: peer,
          "the app of \(name(device)) has asked for a link with \(name(peer))\(goneAddress(peer, address)), and there is"
            + " none" + rarity(device, peer), within: .seconds(1), record)
      }
    case .cancelConnect(let address):
      givesUp(address, record)
      close(record) { $0.device == device && $0.kind == .connecting }
      devices[device].connects.removeAll { $0 == address }
      becomesIdle(record)
    case .disconnect(let link): endsLink(link, record)
    case .subscribe(let link, let type, false), .gatt(.configure(let link, _, let type, false)):
      unsubscribes(link, type, record)
    case .writeWithoutResponse(let link, let type, let octets),
      .gatt(.writeWithoutResponse(let link, _, let type, let octets)):
      writesWrongly(link, type, record)
      writesGuarded(link, type, record)
      sends(on: link, record)
      counts(octets, on: link, record)
    case .notify(let link, _, let octets), .gatt(.notify(let link, _, _, let octets)):
      sends(on: link, record)
      serves(link, record)
      counts(octets, on: link, record)
    case .exchangeMTU(let link, _): exchanged(link, record)
    case .discover(let link, _), .gatt(.discoverServices(let link, _)), .gatt(.discoverCharacteristics(let link, _)):
      discovers(link, record)
    case .subscribe(let link, let type, true), .gatt(.configure(let link, _, let type, true)):
      subscribesAgain(to: type, on: link, record)
    case .setTimer(let id, let instant):
      sets(id, instant, record)
      waits(until: instant, record)
    case .cancelTimer(let id): cancels(id, record)
    case .gatt(.write(let link, let handle, BluetoothUUID.clientCharacteristicConfiguration, let octets)):
      devices[device].change(link) { $0.configured.append((handle, octets)) }
    case .write(let link, _, _), .read(let link, _), .gatt(.write(let link, _, _, _)), .gatt(.read(let link, _, _)):
      devices[device].change(link) { $0.row.asks(at: record.instant) }
    default: break
    }
  }

  // MARK: What an app was told last

  mutating func note(_ input: AppInput, _ record: TraceRecord) {
    switch input {
    case .timer, .submitted, .gatt(.submitted), .gatt(.notifySubmitted), .valueReceived, .gatt(.notified): return
    case .user(let action): ordered(action, record)
    case .background(isSuspended: true): devices[record.device].hiddenAt = record.instant
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
    (devices[record.device].told, devices[record.device].toldAt) = (input, record.instant)
    if let link { devices[record.device].change(link) { $0.told = input } }
  }

  /// A person has done something with the app: what the app asks for next is its answer.
  mutating func ordered(_ action: AppAction, _ record: TraceRecord) {
    let device = record.device
    devices[device].orderedAt = record.instant
    close(record) { $0.device == device && ($0.kind == .userUnanswered || $0.kind == .otherPeer) }
    let text = "\(action)"
    devices[device].wanted = header.devices.firstIndex { text.contains($0.address.description) }.map { ($0, text) }
    // An app whose link is gone has nobody to tell.
    if devices[device].links.isEmpty, hadLink(device) { return }
    add(
      .userUnanswered, peer: nil, link: nil,
      "the app of \(name(device)) was told by its user: \(text), and has sent and asked for nothing since", record)
  }

  /// Its person has named another one.
  mutating func isOther(_ peer: Int, _ record: TraceRecord) {
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
}
