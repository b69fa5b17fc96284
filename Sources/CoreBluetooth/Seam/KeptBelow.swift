import AppSeam
import BluetoothWire

/// What a platform has for an app that the system has ended: links, with who of the app uses them, and numbers.
package struct KeptBelow: Hashable, Sendable {
  package struct Link: Hashable, Sendable {
    var id: LinkID
    var peer: BluetoothAddress
    var isOurs: Bool
    var attMTU: Int
    /// Restore identifiers of the central managers that hold it.
    var holders: [String]
    var subscriptions: [AttributeKey]
    var foundServices: [BluetoothUUID]
  }

  var links: [Link]
  /// Peers to which a connection is being made.
  var attempts: [BluetoothAddress]
  var scan: ScanRequest?
  var advertisement: AdvertisementRequest?
  /// The first number that no service and attribute of the app has.
  var nextNumber: Int
}

/// A connected peripheral, with what the app has found there.
package struct KeptPeripheral: Hashable, Sendable {
  package struct Service: Hashable, Sendable {
    var found: FoundService
    /// Nil: not looked for.
    var characteristics: [Characteristic]?
  }

  package struct Characteristic: Hashable, Sendable {
    var found: FoundCharacteristic
    var isNotifying: Bool
    var descriptors: [FoundDescriptor]?
  }

  var peer: BluetoothAddress
  var services: [Service]?
}

extension VirtualPhone {
  var below: KeptBelow {
    KeptBelow(
      links: links.filter { !$0.isEnding }.map { link in
        let holders = liveCentrals.filter { link.holders.contains($0.number) }.compactMap(\.restoreIdentifier)
        return KeptBelow.Link(
          id: link.id, peer: link.peer, isOurs: link.isOurs, attMTU: link.attMTU, holders: holders,
          subscriptions: link.subscriptions, foundServices: link.foundServices)
      }, attempts: attempts.map(\.peer), scan: lastScan, advertisement: lastAdvertisement,
      nextNumber: local.upcomingNumber)
  }

  /// Continues with what the platform has; what no manager can ask for is given up.
  func takeOver(_ below: KeptBelow) {
    for kept in below.links {
      let link = PhoneLink(id: kept.id, peer: kept.peer, isOurs: kept.isOurs)
      link.attMTU = kept.attMTU
      link.isEstablished = true
      link.subscriptions = kept.subscriptions
      link.foundServices = kept.foundServices
      links.append(link)
      if kept.isOurs, kept.holders.isEmpty { ask(.disconnect(kept.id)) }
    }
    let wanted = memory.centrals.flatMap(\.peers)
    for peer in below.attempts where !wanted.contains(peer) { ask(.cancelConnect(peer)) }
    lastScan = below.scan
    if memory.centrals.allSatisfy({ $0.scan == nil }) { refreshScan() }
    lastAdvertisement = below.advertisement
    if !memory.servers.contains(where: \.isAdvertising) { refreshAdvertising(startedBy: nil) }
    local.beginNumbers(at: below.nextNumber)
  }
}

extension CBPeripheral {
  var kept: KeptPeripheral {
    KeptPeripheral(
      peer: address,
      services: serviceList?.compactMap { service in
        service.found.map { found in
          KeptPeripheral.Service(
            found: found,
            characteristics: service.characteristicList?.compactMap { characteristic in
              characteristic.found.map {
                KeptPeripheral.Characteristic(
                  found: $0, isNotifying: characteristic.notifies,
                  descriptors: characteristic.descriptorList?.compactMap(\.found))
              }
            })
        }
      })
  }

  /// Is connected by a link of an earlier launch. Included services and values have to be read again.
  func restore(_ link: PhoneLink, _ kept: KeptPeripheral?) {
    self.link = link
    shownState = .connected
    serviceList = kept?.services?.map { kept in
      let service = CBService(
        type: CBUUID(kept.found.uuid), isPrimary: kept.found.isPrimary, found: kept.found, owner: self)
      service.characteristicList = kept.characteristics?.map { kept in
        let properties = CBCharacteristicProperties(rawValue: UInt(kept.found.properties))
        let characteristic = CBCharacteristic(
          type: CBUUID(kept.found.uuid), properties: properties, value: nil, found: kept.found, parent: service)
        characteristic.notifies = kept.isNotifying
        characteristic.descriptorList = kept.descriptors?.map {
          CBDescriptor(type: CBUUID($0.uuid), value: nil, found: $0, parent: characteristic)
        }
        return characteristic
      }
      return service
    }
  }
}
