import AppSeam
import BluetoothWire

/// What the seam tells.
extension VirtualPhone {
  func take(_ input: AppInput) {
    switch input {
    case .launched:
      if let launch { app = launch() }
    case .background(let isInBackground):
      locked { self.isInBackground = isInBackground }
      onOtherInput?(input, now)
    case .network(let word):
      told(word)
      onOtherInput?(input, now)
    case .timer, .user: onOtherInput?(input, now)
    default: locked { takeBluetooth(input) }
    }
  }

  private func takeBluetooth(_ input: AppInput) {
    switch input {
    case .radioPower(let isOn): power(isOn)
    case .advertisingStarted(let isStarted): advertisingStarted(isStarted)
    case .discovered(let advertisement): discovered(HeardAdvertiser(advertisement))
    case .gap(.heard(let heard)), .gap(.heardExtended(let heard, _, _, _)): discovered(heard)
    case .connected(let id, let peer): connected(id, peer)
    case .connectFailed(let peer, let reason): connectFailed(peer, reason)
    case .disconnected(let id, let reason): disconnected(id, reason)
    case .attMTU(let id, let size): attMTU(id, size)
    case .readyToSend(let id): readyToSend(id)
    case .gatt(let input): take(input)
    case .channel(let input): take(input)
    // In words by type, which this phone does not use.
    default: break
    }
  }

  private func power(_ isOn: Bool) {
    guard isOn != isPoweredOn else { return }
    isPoweredOn = isOn
    if !isOn {
      // All that the radio carried has ended; apps learn that from the state alone.
      links.removeAll()
      attempts.removeAll()
      pending.removeAll()
      lastScan = nil
      lastAdvertisement = nil
      for open in channels { open.channel.closed() }
      channels.removeAll()
    }
    for manager in liveCentrals { manager.power(isOn) }
    for manager in liveServers { manager.power(isOn) }
  }

  private func advertisingStarted(_ isStarted: Bool) {
    for manager in liveServers { manager.advertisingAnswered(isStarted) }
  }

  private func discovered(_ heard: HeardAdvertiser) {
    let isRenamed = book.saw(heard.advertisement)
    for manager in liveCentrals {
      if isRenamed { manager.renamed(heard.advertisement.address) }
      manager.discovered(heard)
    }
  }

  /// The state that managers show.
  var state: CBManagerState {
    switch settings.authorization {
    case .restricted, .denied: .unauthorized
    default: isPoweredOn ? .poweredOn : .poweredOff
    }
  }
}
