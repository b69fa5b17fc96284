import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Scanning")
struct ScanTests {
  @Test("A scan finds advertisers of a service with name, services, signal and connectable flag")
  func finds() {
    let pair = Pair().discovered()
    equal(pair.central.log.last, "discover Box")
    let data = pair.central.advertisements[0]
    equal(data[CBAdvertisementDataLocalNameKey] as? String, "Box")
    equal(data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID], [CBUUID(string: "AA00")])
    equal(data[CBAdvertisementDataIsConnectable] as? Bool, true)
    equal((data[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue, true)
    equal(pair.central.signals, [-50])
    expect(pair.central.manager.isScanning)
  }

  @Test("Services of the overflow area have a key of their own")
  func overflow() {
    let pair = Pair()
    pair.there { pair.central.manager.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
    let area: [UInt8] = [3, 0x03, 0x0D, 0x18, 20, 0xFF, 0x4C, 0, 1] + [UInt8](repeating: 0x80, count: 16)
    var advertisement = advertisement(of: pair, name: nil)
    // As the platform tells it: the service that is looked for, which may be in the area.
    advertisement.serviceUUIDs = [BluetoothUUID(0x180D), BluetoothUUID(0xAA00)]
    pair.room.give(pair.near, .gap(.heard(HeardAdvertiser(advertisement, data: area))))
    let shown = pair.central.advertisements[0]
    equal(shown[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID], [CBUUID(string: "180D")])
    equal(shown[CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID], [CBUUID(string: "AA00")])
    expect(shown[CBAdvertisementDataManufacturerDataKey] == nil)
  }

  @Test("Services that nobody advertises are not found; nil finds all")
  func filter() {
    let pair = Pair().offered()
    pair.there { pair.central.manager.scanForPeripherals(withServices: [CBUUID(string: "BB00")]) }
    expect(pair.central.found.isEmpty)
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    equal(pair.central.found.count, 1)
  }

  @Test("Without the duplicates option each peripheral is reported once")
  func once() {
    let pair = Pair().discovered()
    let same = advertisement(of: pair, name: "Box")
    pair.room.give(pair.near, .discovered(same))
    equal(pair.central.advertisements.count, 1)
  }

  @Test("An advertisement with something new is reported again")
  func newData() {
    let pair = Pair().discovered()
    pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Other")))
    equal(pair.central.advertisements.count, 2)
  }

  @Test("With the duplicates option each report comes")
  func duplicates() {
    let pair = Pair().offered()
    pair.there {
      pair.central.manager.scanForPeripherals(
        withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    }
    for _ in 0..<3 { pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Box"))) }
    equal(pair.central.advertisements.count, 4)
    let wish = ScanRequest(services: [], everyPacket: true)
    expect(pair.room.device(pair.near).asked.contains(.gap(.scan(wish))))
    equal(pair.centralRemarks(), [])
    // Other managers of the phone, which did not ask for it, hear of each peripheral once.
    let other = CentralApp()
    pair.near.whileCurrent { other.start() }
    pair.room.run()
    pair.there { other.manager.scanForPeripherals(withServices: nil) }
    for _ in 0..<3 { pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Box"))) }
    equal(other.advertisements.count, 1)
  }

  @Test("Transmit power, data of the manufacturer and of services, and solicited services are shown")
  func wholeData() {
    let pair = Pair()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    let data: [UInt8] = [2, 1, 6, 2, 0x0A, 0xF4, 5, 0xFF, 0x59, 0x00, 1, 2, 5, 0x16, 0x0F, 0x18, 80, 81]
    let long: [UInt8] = (0..<16).map { 0xA0 + $0 }
    let response: [UInt8] = [3, 0x14, 0x0D, 0x18, 18, 0x21] + long + [7]
    let heard = HeardAdvertiser(advertisement(of: pair, name: nil), data: data, scanResponse: response)
    pair.room.give(pair.near, .gap(.heard(heard)))
    let shown = pair.central.advertisements[0]
    equal(shown[CBAdvertisementDataTxPowerLevelKey] as? NSNumber, -12)
    equal(shown[CBAdvertisementDataManufacturerDataKey] as? Data, Data([0x59, 0x00, 1, 2]))
    let services = shown[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
    equal(services?[CBUUID(string: "180F")], Data([80, 81]))
    equal(services?[CBUUID(data: Data(long.reversed()))], Data([7]))
    equal(shown[CBAdvertisementDataSolicitedServiceUUIDsKey] as? [CBUUID], [CBUUID(string: "180D")])
  }

  @Test("Data of a kind that was not there before is new; another value of it is not")
  func newKinds() {
    let pair = Pair()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    let same = advertisement(of: pair, name: nil)
    for data in [[], [4, 0xFF, 0x59, 0, 1], [4, 0xFF, 0x59, 0, 2]] as [[UInt8]] {
      pair.room.give(pair.near, .gap(.heard(HeardAdvertiser(same, data: data))))
    }
    equal(pair.central.advertisements.count, 2)
  }

  @Test("iBeacons and the overflow area are the system's own")
  func hiddenData() {
    let pair = Pair()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    for kind in [0x01, 0x02, 0x10] as [UInt8] {
      var heard = HeardAdvertiser(advertisement(of: pair, name: nil), data: [5, 0xFF, 0x4C, 0, kind, 0])
      heard.advertisement.address = BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64(kind))
      pair.room.give(pair.near, .gap(.heard(heard)))
    }
    let shown = pair.central.advertisements.map { $0[CBAdvertisementDataManufacturerDataKey] as? Data }
    equal(shown, [nil, nil, Data([0x4C, 0, 0x10, 0])])
  }

  @Test("A filter with solicited services finds those that advertise a service, and those that look for one")
  func solicited() {
    let pair = Pair()
    pair.there {
      pair.central.manager.scanForPeripherals(
        withServices: [CBUUID(string: "BB00")],
        options: [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [CBUUID(string: "180D")]])
    }
    var heard = HeardAdvertiser(advertisement(of: pair, name: nil), data: [3, 0x14, 0x0D, 0x18])
    pair.room.give(pair.near, .gap(.heard(heard)))
    heard.advertisement.address = BluetoothAddress(kind: .random, bits: 0xC000_0000_0000)
    heard.data = [3, 0x14, 0x0F, 0x18]
    pair.room.give(pair.near, .gap(.heard(heard)))
    equal(pair.central.found.map(\.identifier), [pair.near.identifier(of: pair.far.settings.address)])
  }

  @Test("A stopped scan reports nothing more")
  func stop() {
    let pair = Pair().offered()
    pair.there {
      pair.central.manager.scanForPeripherals(withServices: nil)
      pair.central.manager.stopScan()
    }
    expect(!pair.central.manager.isScanning)
    expect(pair.central.found.isEmpty)
    expect(pair.room.device(pair.near).scan == nil)
  }

  @Test("A new scan replaces the one before and reports again")
  func again() {
    let pair = Pair().discovered()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    equal(pair.central.advertisements.count, 2)
    equal(pair.centralRemarks(), ["central.scan-again"])
  }

  @Test("Two managers scan for the union; each gets what it asked for")
  func union() {
    let pair = Pair().offered()
    let other = CentralApp()
    pair.near.whileCurrent { other.start() }
    pair.room.run()
    pair.there { pair.central.manager.scanForPeripherals(withServices: [CBUUID(string: "BB00")]) }
    other.queue.sync { other.manager.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
    pair.room.run()
    equal(pair.room.device(pair.near).scan?.count, 2)
    expect(pair.central.found.isEmpty)
    equal(other.found.count, 1)
    other.queue.sync { other.manager.stopScan() }
    pair.room.run()
    equal(pair.room.device(pair.near).scan, [CBUUID(string: "BB00").wire])
  }

  @Test("The name is cached, and a new one is told")
  func names() {
    let pair = Pair().discovered()
    equal(pair.central.peripheral.name, "Box")
    pair.room.give(pair.near, .discovered(advertisement(of: pair, name: nil)))
    equal(pair.central.peripheral.name, "Box")
    pair.central.log = []
    pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Chest")))
    equal(pair.central.log.first, "name Chest")
    equal(pair.central.peripheral.name, "Chest")
  }

  @Test("A scan in background without services is remarked")
  func background() {
    let pair = Pair()
    pair.room.give(pair.near, .background(true))
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    equal(pair.centralRemarks(), ["central.unfiltered-in-background"])
    pair.there {
      pair.central.manager.scanForPeripherals(
        withServices: [CBUUID(string: "AA00")], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    }
    for _ in 0..<3 { pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Box"))) }
    equal(pair.central.advertisements.count, 1)
    pair.room.give(pair.near, .background(false))
    for _ in 0..<3 { pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Box"))) }
    equal(pair.central.advertisements.count, 4)
  }

  @Test("One object per peripheral and manager, as long as the app retains it")
  func unique() {
    let pair = Pair().discovered()
    let object = pair.central.peripheral!
    let known = pair.central.manager.retrievePeripherals(withIdentifiers: [object.identifier])
    equal(known.count, 1)
    expect(known.first === object)
    expect(pair.central.manager.retrievePeripherals(withIdentifiers: [UUID()]).isEmpty)
  }

  @Test("Identifiers are the phone's own, and the same in every run")
  func identifiers() {
    let first = Pair().discovered()
    let second = Pair().discovered()
    let identifier = first.central.peripheral.identifier
    equal(second.central.peripheral.identifier, identifier)
    let third = first.room.add()
    let other = CentralApp()
    third.whileCurrent { other.start() }
    first.room.run()
    other.queue.sync { other.manager.scanForPeripherals(withServices: nil) }
    first.room.run()
    expect(other.peripheral.identifier != identifier)
  }

  @Test("Sets of peripherals and attributes have one order, wherever in memory the objects are")
  func order() {
    let peripherals = (0..<2).map { _ in Pair().discovered().central.peripheral! }
    expect(peripherals[0] != peripherals[1])
    equal(peripherals[0].hash, peripherals[1].hash)
    let services = (0..<2).map { _ in CBMutableService(type: CBUUID(string: "180D"), primary: true) }
    expect(services[0] != services[1])
    equal(services[0].hash, services[1].hash)
    expect(services[0].hash != CBMutableService(type: CBUUID(string: "180E"), primary: true).hash)
  }

  private func advertisement(of pair: Pair, name: String?) -> Advertisement {
    Advertisement(
      address: pair.far.settings.address, localName: name, serviceUUIDs: [CBUUID(string: "AA00").wire], rssi: -50)
  }
}
