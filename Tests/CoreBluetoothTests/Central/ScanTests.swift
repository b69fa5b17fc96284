import AppSeam
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Scanning")
struct ScanTests {
  @Test("A scan finds advertisers of a service with name, services, signal and connectable flag")
  func finds() {
    let pair = Pair().discovered()
    #expect(pair.central.log.last == "discover Box")
    let data = pair.central.advertisements[0]
    #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Box")
    #expect(data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "AA00")])
    #expect(data[CBAdvertisementDataIsConnectable] as? Bool == true)
    #expect((data[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue == true)
    #expect(pair.central.signals == [-50])
    #expect(pair.central.manager.isScanning)
  }

  @Test("Services that nobody advertises are not found; nil finds all")
  func filter() {
    let pair = Pair().offered()
    pair.there { pair.central.manager.scanForPeripherals(withServices: [CBUUID(string: "BB00")]) }
    #expect(pair.central.found.isEmpty)
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    #expect(pair.central.found.count == 1)
  }

  @Test("Without the duplicates option each peripheral is reported once")
  func once() {
    let pair = Pair().discovered()
    let same = advertisement(of: pair, name: "Box")
    pair.room.give(pair.near, .discovered(same))
    #expect(pair.central.advertisements.count == 1)
  }

  @Test("An advertisement with something new is reported again")
  func newData() {
    let pair = Pair().discovered()
    pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Other")))
    #expect(pair.central.advertisements.count == 2)
  }

  @Test("With the duplicates option each report comes")
  func duplicates() {
    let pair = Pair().offered()
    pair.there {
      pair.central.manager.scanForPeripherals(
        withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    }
    for _ in 0..<3 { pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Box"))) }
    #expect(pair.central.advertisements.count == 4)
    #expect(pair.centralRemarks() == ["seam.allow-duplicates"])
  }

  @Test("A stopped scan reports nothing more")
  func stop() {
    let pair = Pair().offered()
    pair.there {
      pair.central.manager.scanForPeripherals(withServices: nil)
      pair.central.manager.stopScan()
    }
    #expect(!pair.central.manager.isScanning)
    #expect(pair.central.found.isEmpty)
    #expect(pair.room.device(pair.near).scan == nil)
  }

  @Test("A new scan replaces the one before and reports again")
  func again() {
    let pair = Pair().discovered()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    #expect(pair.central.advertisements.count == 2)
    #expect(pair.centralRemarks() == ["central.scan-again"])
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
    #expect(pair.room.device(pair.near).scan?.count == 2)
    #expect(pair.central.found.isEmpty)
    #expect(other.found.count == 1)
    other.queue.sync { other.manager.stopScan() }
    pair.room.run()
    #expect(pair.room.device(pair.near).scan == [CBUUID(string: "BB00").wire])
  }

  @Test("The name is cached, and a new one is told")
  func names() {
    let pair = Pair().discovered()
    #expect(pair.central.peripheral.name == "Box")
    pair.room.give(pair.near, .discovered(advertisement(of: pair, name: nil)))
    #expect(pair.central.peripheral.name == "Box")
    pair.central.log = []
    pair.room.give(pair.near, .discovered(advertisement(of: pair, name: "Chest")))
    #expect(pair.central.log.first == "name Chest")
    #expect(pair.central.peripheral.name == "Chest")
  }

  @Test("A scan in background without services is remarked")
  func background() {
    let pair = Pair()
    pair.room.give(pair.near, .background(true))
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    #expect(pair.centralRemarks() == ["central.unfiltered-in-background"])
    pair.there {
      pair.central.manager.scanForPeripherals(
        withServices: [CBUUID(string: "AA00")], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    }
    #expect(pair.central.manager.scan?.allowsDuplicates == false)
  }

  @Test("One object per peripheral and manager, as long as the app retains it")
  func unique() {
    let pair = Pair().discovered()
    let object = pair.central.peripheral!
    let known = pair.central.manager.retrievePeripherals(withIdentifiers: [object.identifier])
    #expect(known.count == 1)
    #expect(known.first === object)
    #expect(pair.central.manager.retrievePeripherals(withIdentifiers: [UUID()]).isEmpty)
  }

  @Test("Identifiers are the phone's own, and the same in every run")
  func identifiers() {
    let first = Pair().discovered()
    let second = Pair().discovered()
    let identifier = first.central.peripheral.identifier
    #expect(second.central.peripheral.identifier == identifier)
    let third = first.room.add()
    let other = CentralApp()
    third.whileCurrent { other.start() }
    first.room.run()
    other.queue.sync { other.manager.scanForPeripherals(withServices: nil) }
    first.room.run()
    #expect(other.peripheral.identifier != identifier)
  }

  @Test("Sets of peripherals and attributes have one order, wherever in memory the objects are")
  func order() {
    let peripherals = (0..<2).map { _ in Pair().discovered().central.peripheral! }
    #expect(peripherals[0] != peripherals[1])
    #expect(peripherals[0].hash == peripherals[1].hash)
    let services = (0..<2).map { _ in CBMutableService(type: CBUUID(string: "180D"), primary: true) }
    #expect(services[0] != services[1])
    #expect(services[0].hash == services[1].hash)
    #expect(services[0].hash != CBMutableService(type: CBUUID(string: "180E"), primary: true).hash)
  }

  private func advertisement(of pair: Pair, name: String?) -> Advertisement {
    Advertisement(
      address: pair.far.settings.address, localName: name, serviceUUIDs: [CBUUID(string: "AA00").wire], rssi: -50)
  }
}
