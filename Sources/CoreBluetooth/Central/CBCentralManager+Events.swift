import BluetoothWire

/// Which connections of the phone a manager wants to hear of.
struct ConnectionEventWish {
  var peers: [UUID]?
  var services: [BluetoothUUID]?
}

extension CBCentralManager {
  func registerForEvents(_ options: [CBConnectionEventMatchingOption: Any]?) {
    guard isReady(for: "registerForConnectionEvents(options:)"), let phone else { return }
    phone.remark(
      .limit, .connectionEvents, "connection events come for peers that were seen before, by what they advertised")
    phone.locked {
      wantedEvents = options.map {
        ConnectionEventWish(
          peers: $0[.peripheralUUIDs] as? [UUID], services: ($0[.serviceUUIDs] as? [CBUUID])?.map(\.wire))
      }
    }
  }

  func connectionEvent(_ event: CBConnectionEvent, _ address: BluetoothAddress) {
    guard let phone, let wish = wantedEvents else { return }
    let isNamed = wish.peers?.contains(phone.identifier(of: address))
    let offers = phone.book[address]?.services ?? []
    let isOffered = wish.services.map { $0.contains(where: offers.contains) }
    guard isNamed ?? isOffered ?? true || isOffered ?? false else { return }
    call { [weak self] in
      guard let self else { return }
      let object = phone.locked { self.peripheral(address) }
      tell("centralManager(_:connectionEventDidOccur:for:)", object, with: ["\(event)", "peripheral"]) {
        $0.centralManager(self, connectionEventDidOccur: event, for: object)
      }
    }
  }
}
