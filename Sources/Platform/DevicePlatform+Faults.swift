import AppSeam
import BluetoothWire
import SimKernel
import VirtualNetwork
import VirtualRadio

/// What the bench does to devices on purpose, each fault with its own face on the air.
extension DevicePlatform {
  package func apply(_ fault: DeviceFault) {
    switch fault {
    case .vanish:
      observe(.vanish)
      isVanished = true
      surroundings.setRadio(index, isOn: false)
      surroundings.applyToNetwork(.vanish, device: index)
    case .appear:
      observe(.appear)
      isVanished = false
      surroundings.setRadio(index, isOn: seat != .foreignController)
      surroundings.applyToNetwork(.appear, device: index)
    case .radioOff: switchOff()
    case .radioOn: switchOn()
    case .kill: kill()
    case .reclaim: reclaim()
    case .relaunch:
      if engine != nil { kill() }
      observe(.relaunch)
      isUsed()
      launch()
    case .background: putAway()
    case .foreground:
      if isScreenOff { return screenGoesOn(isInFront: true) }
      isUsed()
      setBackground(false)
    case .screenOff: screenGoesOff()
    case .screenOn: screenGoesOn()
    case .disconnect(let other): disconnect(other)
    case .outOfRange:
      if placeBefore == nil { placeBefore = position }
      move(to: Position(x: 1_000_000_000, y: 1_000_000_000 + 10_000_000 * index))
    case .comeBack:
      if let place = placeBefore {
        placeBefore = nil
        move(to: place)
      }
    case .move(let position): move(to: position)
    case .coverLinks(let other, let span):
      surroundings.coverLinks(of: index, with: other, until: timeline.now + span)
    case .useChannels(let channels): askStack { $0.useChannels(channels) }
    case .updateConnections(let change):
      askStack { host in
        for link in links {
          host.updateConnection(
            link.handle, interval: change.interval, peripheralLatency: change.peripheralLatency,
            supervisionTimeout: change.supervisionTimeout)
        }
      }
    case .forgetBonds(let other): forgetBonds(with: other)
    case .refreshServices: serviceCache.removeAll()
    case .messages(let rule): faults.append(ActiveMessageFault(rule: rule))
    case .messagesOff: faults.removeAll()
    case .failures(let rule): begin(rule)
    case .failuresOff:
      failures.removeAll()
      refuseRequests()
    case .network(let fault):
      observe(.network(fault))
      surroundings.applyToNetwork(fault, device: index)
    }
  }

  func observe(_ fault: FaultEvent) { surroundings.observe(fault, device: index) }

  private func move(to position: Position) {
    observe(.move(x: position.x, y: position.y, z: position.z))
    self.position = position
    surroundings.moveRadio(index, to: position)
    surroundings.applyToNetwork(.moved, device: index)
  }

  private func askStack(_ ask: (HostStack) -> Void) {
    host.advance(to: timeline.now)
    ask(host)
    drainHost()
  }

  private func disconnect(_ other: Int?) {
    askStack { host in
      for link in links where other == nil || link.peerDevice == other {
        observe(.disconnect(link.id))
        host.disconnect(link.handle, reason: .remoteUserTerminatedConnection)
      }
    }
  }

  /// The app dies: its links end, its advertising and scanning stop, its state is lost. The stack stays up.
  func kill() {
    guard engine != nil || isReclaimed else { return }
    observe(.kill)
    endApp()
    isReclaimed = false
    inbox.removeAll()
    advertisement = nil
    scanFilter = nil
    host.advance(to: timeline.now)
    forgetSets()
    services.removeAll(from: host)
    unpublishAll()
    stopListening()
    for channel in channels { host.closeChannel(channel.number) }
    if isPoweredOn {
      refreshAdvertising()
      refreshScanning()
    }
    for address in connecting { host.cancelConnect(address) }
    forgetAttempts()
    for link in links { host.disconnect(link.handle, reason: .remoteUserTerminatedConnection) }
    drainHost()
  }

  /// What an app leaves that is not Bluetooth's.
  func endApp() {
    if let engine = engine as? any RememberingEngine, let left = engine.remember(at: timeline.now) { memory = left }
    engine = nil
    isPreserved = false
    watches = (false, false)
    manner = nil
    wake()
    cancelAppEnd()
    surroundings.appEnded(index)
    held.removeAll()
    for timer in timers { timeline.cancel(timer.handle) }
    timers.removeAll()
  }

  /// The person switches Bluetooth off: links are ended with "power off", then the radio goes silent. An app knows at
  /// once.
  package func switchOff() {
    guard isRadioOn else { return }
    // Nothing of what the system kept outlives the radio.
    if isReclaimed { kill() }
    observe(.radioOff)
    isRadioOn = false
    host.advance(to: timeline.now)
    forgetWants()
    if isPoweredOn {
      refreshAdvertising()
      refreshScanning()
    }
    for address in connecting { host.cancelConnect(address) }
    for link in links { host.disconnect(link.handle, reason: .remoteDeviceTerminatedDueToPowerOff) }
    drainHost()
    tell(.radioPower(false))
    _ = schedule(.radioGoesOff, at: timeline.now + Self.powerOffDelay)
  }

  /// Time for LL_TERMINATE_IND to go out before the adapter is off; about what phones allow themselves.
  static let powerOffDelay = SimDuration.milliseconds(200)

  package func radioGoesOff() {
    guard !isRadioOn else { return }
    host.stop(at: timeline.now)
    drainHost()
    surroundings.setRadio(index, isOn: false)
    isPoweredOn = false
    for link in links { tell(.disconnected(link.id, reason: .connectionTerminatedByLocalHost)) }
    removeAllLinks()
    forgetAttempts()
  }

  /// A new stack comes up on the same controller; the app publishes and scans again when it is told.
  package func switchOn() {
    guard !isRadioOn else { return }
    if isPoweredOn { radioGoesOff() }
    observe(.radioOn)
    isRadioOn = true
    surroundings.setRadio(index, isOn: !isVanished && seat != .foreignController)
    let tap = host.frameTap
    let door = host.door
    let bonds = host.bonds
    let watchers = host.watchers
    serviceCache.removeAll(unless: { identity in bonds.contains { $0.identity == identity } })
    stack.removeAll()
    stack.append(HostStack(door: door, configuration: configuration.host))
    host.bonds = bonds
    host.watchers = watchers
    host.use(address)
    refuseRequests()
    services.enter(host, isKept: phone.att.keepsServices)
    enterAllAgain()
    listenAgain()
    host.frameTap = tap
    isAdvertising = false
    host.start(at: timeline.now)
    drainHost()
    tell(.radioPower(true))
  }
}
