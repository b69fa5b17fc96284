import BluetoothWire
import SimKernel
import VirtualRadio

/// What the bench does to devices on purpose, each fault with its own face on the air.
extension World {
  /// Launches the app of a device; the stack comes up with it the first time.
  func launch(_ node: DeviceNode) {
    guard node.engine == nil, node.seat != .foreignHost else { return }
    guard let engine = try? makeEngine(node.device.engine, node.device.role, babConfiguration(node)) else { return }
    node.engine = engine
    if !node.isPoweredOn {
      node.host.start(at: timeline.now)
      drainHost(node)
    }
    tell(node, .launched)
    for link in node.links { tell(node, .connected(link.id, peer: link.peer)) }
    for action in node.wishes { tell(node, .user(action)) }
    node.wishes.removeAll()
  }

  /// A person does something with the app, or wants to and waits until it runs. Where the app is not ours, nobody but
  /// its own people can.
  func act(_ node: DeviceNode, _ action: UserAction) {
    if node.seat == .foreignHost { return }
    if node.engine == nil {
      node.wishes.append(action)
    } else {
      tell(node, .user(action))
    }
  }

  func apply(_ fault: Step.Fault, _ node: DeviceNode) {
    switch fault {
    case .vanish:
      note(.vanish, node)
      node.isVanished = true
      radio.setRadio(node.index, isOn: false)
    case .appear:
      note(.appear, node)
      node.isVanished = false
      radio.setRadio(node.index, isOn: node.seat != .foreignController)
    case .radioOff: switchOff(node)
    case .radioOn: switchOn(node)
    case .kill: kill(node)
    case .relaunch:
      if node.engine != nil { kill(node) }
      note(.relaunch, node)
      launch(node)
    case .background, .foreground:
      node.isInBackground = fault == .background
      note(node.isInBackground ? .background : .foreground, node)
      node.host.advance(to: timeline.now)
      tell(node, .background(node.isInBackground))
      if node.isPoweredOn {
        refreshAdvertising(node)
        refreshScanning(node)
        drainHost(node)
      }
    case .disconnect(let other): disconnect(node, other)
    case .outOfRange:
      if node.placeBefore == nil { node.placeBefore = node.position }
      move(node, to: Position(x: 1_000_000_000, y: 1_000_000_000 + 10_000_000 * node.index))
    case .comeBack:
      if let place = node.placeBefore {
        node.placeBefore = nil
        move(node, to: place)
      }
    case .move(let position): move(node, to: position)
    case .messages(let rule): node.faults.append(ActiveMessageFault(rule: rule))
    case .messagesOff: node.faults.removeAll()
    }
  }

  private func move(_ node: DeviceNode, to position: Position) {
    note(.move(x: position.x, y: position.y, z: position.z), node)
    node.position = position
    radio.move(node.index, to: position)
  }

  private func disconnect(_ node: DeviceNode, _ other: Int?) {
    node.host.advance(to: timeline.now)
    for link in node.links where other == nil || link.peerDevice == other {
      note(.disconnect(link.id), node)
      node.host.disconnect(link.handle, reason: .remoteUserTerminatedConnection)
    }
    drainHost(node)
  }

  /// The app dies: its links end, its advertising and scanning stop, its state is lost. The stack stays up.
  private func kill(_ node: DeviceNode) {
    guard node.engine != nil else { return }
    note(.kill, node)
    node.engine = nil
    node.inbox.removeAll()
    node.held.removeAll()
    for timer in node.timers { timeline.cancel(timer.handle) }
    node.timers.removeAll()
    node.advertisement = nil
    node.scanFilter = nil
    node.host.advance(to: timeline.now)
    if node.isPoweredOn {
      refreshAdvertising(node)
      refreshScanning(node)
    }
    for address in node.connecting { node.host.cancelConnect(address) }
    node.connecting.removeAll()
    for link in node.links { node.host.disconnect(link.handle, reason: .remoteUserTerminatedConnection) }
    drainHost(node)
  }

  /// The person switches Bluetooth off: links are ended with "power off", then the radio goes silent. An app knows at
  /// once.
  func switchOff(_ node: DeviceNode) {
    guard node.isRadioOn else { return }
    note(.radioOff, node)
    node.isRadioOn = false
    node.host.advance(to: timeline.now)
    if node.isPoweredOn {
      refreshAdvertising(node)
      refreshScanning(node)
    }
    for address in node.connecting { node.host.cancelConnect(address) }
    for link in node.links { node.host.disconnect(link.handle, reason: .remoteDeviceTerminatedDueToPowerOff) }
    drainHost(node)
    tell(node, .radioPower(false))
    timeline.schedule(
      SimEvent(kind: Kind.radioGoesOff.rawValue, target: UInt32(node.index)), at: timeline.now + Self.powerOffDelay)
  }

  /// Time for LL_TERMINATE_IND to go out before the adapter is off; about what phones allow themselves.
  static let powerOffDelay = SimDuration.milliseconds(200)

  func radioGoesOff(_ node: DeviceNode) {
    guard !node.isRadioOn else { return }
    node.host.stop(at: timeline.now)
    drainHost(node)
    radio.setRadio(node.index, isOn: false)
    node.isPoweredOn = false
    for link in node.links { tell(node, .disconnected(link.id, reason: .connectionTerminatedByLocalHost)) }
    node.removeAllLinks()
    node.connecting.removeAll()
  }

  /// A new stack comes up on the same controller; the app publishes and scans again when it is told.
  func switchOn(_ node: DeviceNode) {
    guard !node.isRadioOn else { return }
    if node.isPoweredOn { radioGoesOff(node) }
    note(.radioOn, node)
    node.isRadioOn = true
    radio.setRadio(node.index, isOn: !node.isVanished && node.seat != .foreignController)
    node.host = HostStack(
      door: node.host.door, configuration: Self.hostConfiguration(node.device, address: node.address))
    node.isAdvertising = false
    node.host.start(at: timeline.now)
    drainHost(node)
    tell(node, .radioPower(true))
  }
}
