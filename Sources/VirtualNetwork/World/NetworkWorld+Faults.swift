import AppSeam
import SimKernel

extension NetworkWorld {
  /// How long a system leaves the sockets of a suspended app alone (NET 8.6).
  static let reclaimTime = SimDuration.seconds(60)

  package func apply(_ fault: NetworkFault, device index: Int) {
    let device = devices[index]
    switch fault {
    case .wifiOff: setWiFi(device, isOn: false)
    case .wifiOn: setWiFi(device, isOn: true)
    case .joinNetwork: wantInfrastructure(device, true)
    case .leaveNetwork: wantInfrastructure(device, false)
    case .partition(let other): part(index, other, true)
    case .endPartition(let other): part(index, other, false)
    case .loss(let ratio): paths.setLoss(ratio, of: index)
    case .delay(let delay): paths.setDelay(delay, of: index)
    case .vanish: setVanished(device, true)
    case .appear: setVanished(device, false)
    case .moved: placesChanged()
    case .suspend: suspend(device)
    case .resume: resume(device)
    }
  }

  private func wantInfrastructure(_ device: NetworkDevice, _ wants: Bool) {
    device.wantsInfrastructure = wants && room.accessPoint != nil
    reviewInfrastructure(device)
  }

  private func part(_ index: Int, _ other: Int?, _ isParted: Bool) {
    for device in devices where device.index != index && (other == nil || other == device.index) {
      paths.part(index, device.index, isParted)
    }
    reviewPaths()
  }

  private func setVanished(_ device: NetworkDevice, _ isVanished: Bool) {
    if device.isVanished == isVanished { return }
    device.isVanished = isVanished
    if isVanished { for interface in NetworkInterface.allCases { dropFrames(device.index, interface) } }
    reviewInfrastructure(device)
    reviewNeighbours()
  }

  private func placesChanged() {
    askForReach()
    for device in devices { reviewInfrastructure(device) }
    reviewNeighbours()
  }

  // MARK: The app

  /// An app has started: it is told which interfaces have a link, and of every change from now on. A device without
  /// interfaces has no such app.
  package func appStarted(_ index: Int) {
    let device = devices[index]
    guard device.isOffered.contains(true) else { return }
    device.lastPath = device.links
    tell(device, .pathChanged(device.links))
  }

  /// An app was killed, or has ended (NET 8.7): RST for each of its streams, and nothing of it is left.
  package func appEnded(_ index: Int) {
    let device = devices[index]
    let said = device.station.saysGoodbye
    for listener in device.listeners { close(listener, device, saysGoodbye: said) }
    for browser in device.browsers { stopNames(browser.type, device) }
    device.listeners = []
    device.browsers = []
    for connection in device.open {
      linger(device, after: connections[connection])
      end(connections[connection], device)
    }
    device.connections = [:]
    device.nextIncoming = 1
    device.endpoints = []
    device.pending.removeAll()
    device.lastPath = nil
    device.isSuspended = false
    cancel(&device.reclaimEvent)
    cancel(&device.primeEvent)
    device.primedUntil = timeline.now
    reviewAsks(device)
  }

  private func suspend(_ device: NetworkDevice) {
    if device.isSuspended { return }
    device.isSuspended = true
    if device.station.reclaimsSockets {
      device.reclaimEvent = schedule(.reclaim, device.index, after: Self.reclaimTime)
    }
  }

  private func resume(_ device: NetworkDevice) {
    if !device.isSuspended { return }
    device.isSuspended = false
    cancel(&device.reclaimEvent)
    if !device.pending.isEmpty { queue(device) }
  }

  /// The system takes the sockets of a suspended app back; it is told when it runs again.
  func reclaim(_ device: NetworkDevice) {
    device.reclaimEvent = nil
    for index in device.open { fail(connections[index], .reclaimed) }
    for listener in device.listeners {
      close(listener, device, saysGoodbye: true)
      tell(device, .listenerFailed(type: listener.request.type, .reclaimed))
    }
    device.listeners = []
    reviewAsks(device)
  }
}
