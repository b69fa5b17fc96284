package import AppSeam
import BluetoothWire
import SimKernel
import VirtualRadio

/// What an app asks of its platform.
extension DevicePlatform {
  /// Performs effects in order; what the host stack has to say to them comes after the last one.
  package func perform(_ effects: [AppEffect]) {
    let list = Fifo<AppEffect>()
    for effect in effects { list.append(effect) }
    perform(list, surroundings)
  }

  /// As above; the list is empty afterwards. Each effect is moved out of it, which counts no reference.
  func perform(_ effects: Fifo<AppEffect>, _ surroundings: any PlatformSurroundings) {
    var concernsStack = false
    while let effect = effects.popFirst() {
      switch consume effect {
      case .report(let report): surroundings.observe(report, device: index)
      case let effect:
        surroundings.observe(effect, device: index)
        if performWithoutStack(effect, surroundings) { continue }
        if !concernsStack { stack.with(0) { $0.advance(to: timeline.now) } }
        concernsStack = true
        performUnlessHeld(effect)
      }
    }
    if concernsStack { drainHost() }
  }

  /// - Returns: false for what the host stack is to do.
  private func performWithoutStack(_ effect: AppEffect, _ surroundings: any PlatformSurroundings) -> Bool {
    switch effect {
    case .network(let effect): surroundings.perform(effect, device: index)
    case .setTimer(let id, let instant): setTimer(id, at: instant)
    case .cancelTimer(let id): cancelTimer(id)
    case .keep(let octets): keep(octets)
    case .keepMore(let octets): keepMore(octets)
    default: return false
    }
    return true
  }

  /// Only a stack that is coming up is waited for: while the radio is off, what is asked for is refused.
  private func performUnlessHeld(_ effect: AppEffect) {
    if case .notify(let id, let characteristic, let octets) = effect, isPoweredOn {
      submit(Value(link: id, characteristic: characteristic, octets: octets), as: .notification)
    } else if isRadioOn, !isPoweredOn {
      held.append(effect)
    } else {
      performOnPlatform(effect)
    }
  }

  /// The stack has come up, or will not: what the app asked for meanwhile is done, or refused, now.
  func releaseHeld() {
    let waiting = held
    held.removeAll()
    for effect in waiting { performOnPlatform(effect) }
  }

  private func performOnPlatform(_ effect: AppEffect) {
    if phone.att.cachesServices != .never && isAnsweredFromCache(effect) { return }
    if !failures.isEmpty && fails(effect) || phone.att.oneOperationAtATime && isRefusedAsBusy(effect) { return }
    switch effect {
    case .publish(let service): services.publish(service, on: host)
    case .gatt(let effect): perform(effect)
    case .gap(let effect): perform(effect)
    case .channel(let effect): perform(effect)
    case .advertise(let request): advertise(.request(request))
    case .stopAdvertising:
      advertisement = nil
      refreshAdvertising()
    case .scan(let services): scan(services, whole: nil)
    case .stopScanning:
      scanFilter = nil
      refreshScanning()
    case .connect(let address):
      guard isRadioOn else { return tell(.connectFailed(address, reason: .commandDisallowed)) }
      if !connecting.contains(address) { connecting.append(address) }
      host.connect(to: address)
      remarkOnScan(phone.scanning.connecting)
    case .cancelConnect(let address):
      connecting.removeAll { $0 == address }
      failingAttempts.removeAll { $0.peer == address }
      host.cancelConnect(address)
    case .disconnect(let id):
      if let link = link(id) { host.disconnect(link.handle, reason: .remoteUserTerminatedConnection) }
    case .setValue(let characteristic, let octets): host.setValue(octets, characteristic: characteristic)
    default: performOnLink(effect)
    }
  }

  private func performOnLink(_ effect: AppEffect) {
    switch effect {
    case .exchangeMTU(let id, let wish): exchangeMTU(id, wish)
    case .discover(let id, let service):
      if let link = link(id) { host.discover(link.handle, service: service) }
    case .subscribe(let id, let characteristic, let isOn):
      if let link = link(id) { host.subscribe(link.handle, characteristic: characteristic, isOn) }
    case .read(let id, let characteristic):
      if let link = link(id) { host.read(link.handle, characteristic: characteristic) }
    case .write(let id, let characteristic, let octets):
      submit(Value(link: id, characteristic: characteristic, octets: octets), as: .write)
    case .writeWithoutResponse(let id, let characteristic, let octets):
      submit(Value(link: id, characteristic: characteristic, octets: octets), as: .writeCommand)
    case .notify(let id, let characteristic, let octets):
      submit(Value(link: id, characteristic: characteristic, octets: octets), as: .notification)
    default: break
    }
  }

  /// A platform that exchanges on its own answers with what it has, or will answer when it has done so.
  private func exchangeMTU(_ id: LinkID, _ wish: Int) {
    guard let link = link(id) else { return }
    let habits = phone.att
    if habits.exchangesAutomatically || !habits.appMayExchange {
      if link.hasExchangedMTU || !habits.exchangesAutomatically { tell(.attMTU(id, link.attMTU)) }
    } else {
      host.exchangeMTU(link.handle, min(wish, habits.clientMTU))
    }
  }

  // MARK: Timers

  private func setTimer(_ id: TimerID, at instant: SimInstant) {
    let due = max(instant, timeline.now)
    if let index = timers.firstIndex(where: { $0.id == id }) {
      if timeline.reschedule(timers[index].handle, to: due) { return }
      timers.remove(at: index)
    }
    let handle = schedule(.appTimer, argument: UInt64(bitPattern: Int64(id.rawValue)), at: due)
    timers.append(AppTimer(id: id, handle: handle))
  }

  private func cancelTimer(_ id: TimerID) {
    guard let index = timers.firstIndex(where: { $0.id == id }) else { return }
    timeline.cancel(timers[index].handle)
    timers.remove(at: index)
  }

  func timerFired(_ id: TimerID) {
    timers.removeAll { $0.id == id }
    tell(.timer(id))
  }

  // MARK: Advertising and scanning, as the platform allows them

  var mayAdvertise: Bool { isRadioOn && !(isInBackground && phone.background.advertising == .stops) }

  /// Starts, changes or stops advertising, by what the app wants and the platform allows.
  func refreshAdvertising() {
    refreshSets()
    guard let wanted = advertisement, mayAdvertise else {
      if isAdvertising { host.stopAdvertising() }
      isAdvertising = false
      if advertisement != nil, isRadioOn {
        observe(.hiddenInBackground, nil, "does not advertise, because its app is in the background")
      }
      return
    }
    guard let packets = packets(of: wanted) else {
      isAdvertising = false
      observe(.advertisingRefused, nil, "its data do not fit into an advertising packet")
      tell(.advertisingStarted(false))
      return
    }
    if isAdvertising { host.stopAdvertising() }
    isAdvertising = true
    let interval = (isInBackground ? phone.background.advertisingInterval : nil) ?? manner?.interval
    var kind: HCI.AdvertisingParameters.Kind?
    if manner?.isConnectable == false {
      kind = packets.scanResponse.isEmpty ? .nonConnectableUndirected : .scannableUndirected
    }
    host.startAdvertising(data: packets.data, scanResponse: packets.scanResponse, interval: interval, kind: kind)
    remarkOnAdvertising(every: interval ?? phone.advertising.interval)
    if isInBackground, phone.background.advertising == .overflowArea {
      observe(
        .hiddenInBackground, nil,
        "advertises its services in the overflow area, which is for iPhones that look for them, because its app is in"
          + " the background")
    }
  }

  /// The radio has gone off: an app asks again when it is told that the radio is on again.
  func forgetWants() {
    advertisement = nil
    forgetSets()
    scanFilter = nil
    releaseHeld()
  }

  func refreshScanning() {
    let rule = phone.background.scanning
    var isAllowed = isRadioOn
    if isInBackground {
      if rule == .stops || rule == .filteredOnly && (scanFilter?.isEmpty ?? true) { isAllowed = false }
    }
    if scanFilter != nil, isAllowed {
      // In background every phone reports an advertiser once.
      let rare = isScreenOff ? phone.scanning.screenOff ?? phone.scanning.background : phone.scanning.background
      let scan = isInBackground ? rare : phone.scanning.foreground
      host.startScanning(
        everyPacket: wholeScan?.everyPacket == true && !isInBackground, as: scan, extendedOn: extendedPHYs)
      remarkOnScan(scan)
    } else {
      if scanFilter != nil, isRadioOn {
        observe(.hiddenInBackground, nil, "does not scan, because its app is in the background")
      }
      host.stopScanning()
    }
  }
}

extension GATT.Service {
  init(_ service: ServiceDefinition) {
    self.init(
      uuid: service.uuid,
      characteristics: service.characteristics.map {
        GATT.Characteristic(uuid: $0.uuid, properties: GATT.Properties(rawValue: $0.properties.rawValue))
      })
  }
}
