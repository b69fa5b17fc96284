import AppSeam
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("State restoration")
struct RestorationTests {
  @Test("A central's peripherals and scan come back before its first state")
  func central() {
    let pair = Pair()
    let options = [CBCentralManagerOptionRestoreIdentifierKey: "central"]
    pair.near.whileCurrent { pair.central.start(options: options) }
    pair.room.run()
    pair.discovered()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    let identifier = pair.central.peripheral.identifier
    let memory = pair.near.remember()
    pair.room.device(pair.near).links = []
    pair.room.device(pair.far).links = []

    let again = pair.room.add(memory: memory, at: 0)
    let app = CentralApp()
    again.whileCurrent { app.start(options: options) }
    pair.room.run()
    equal(app.log.prefix(2), ["restore", "state poweredOn"])
    equal(app.found.map(\.identifier), [identifier])
    equal(app.peripheral.name, "Box")
    equal(app.restored[CBCentralManagerRestoredStateScanServicesKey] as? [CBUUID], [CBUUID(string: "AA00")])
    expect(app.manager.isScanning)
    equal(app.peripheral.state, .connected)
  }

  @Test("A peripheral manager's services and advertising come back")
  func peripheral() {
    let pair = Pair()
    let options = [CBPeripheralManagerOptionRestoreIdentifierKey: "peripheral"]
    pair.far.whileCurrent { pair.peripheral.start(options: options) }
    pair.room.run()
    pair.offered()
    let again = pair.room.add(memory: pair.far.remember(), at: 1)
    let app = PeripheralApp()
    again.whileCurrent { app.start(options: options) }
    pair.room.run()
    equal(app.log.prefix(2), ["restore", "state poweredOn"])
    let services = app.restored[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService]
    equal(services?.map(\.uuid.uuidString), ["AA00"])
    equal(services?[0].characteristics?.count, 4)
    expect(app.restored[CBPeripheralManagerRestoredStateAdvertisementDataKey] != nil)
    expect(app.manager.isAdvertising)
    equal(pair.room.device(again).table.services.count, 1)
  }

  @Test("What a phone keeps is the same in words of the seam, in which an app that its person has closed has its peers")
  func words() {
    let pair = Pair()
    pair.near.whileCurrent {
      pair.central.start(options: [CBCentralManagerOptionRestoreIdentifierKey: "central"])
    }
    pair.far.whileCurrent {
      pair.peripheral.start(options: [CBPeripheralManagerOptionRestoreIdentifierKey: "peripheral"])
    }
    pair.room.run()
    pair.subscribed()
    for phone in [pair.near, pair.far] {
      let words = phone.inWords()
      expect(words.defect == nil && words.links.count == 1)
      equal(words.servers.flatMap(\.services).count + words.centrals.flatMap(\.found).count, 1)
      equal(PhoneMemory(words, isRestored: true), phone.remember(isRestored: true))
      equal(PhoneMemory(words, isRestored: false), phone.remember(isRestored: false))
    }
    equal(PhoneMemory(nil, isRestored: true), PhoneMemory())
  }

  @Test("Without a restore identifier nothing comes back, but peers stay known")
  func without() {
    let pair = Pair().connected()
    let identifier = pair.central.peripheral.identifier
    let again = pair.room.add(memory: pair.near.remember(), at: 0)
    let app = CentralApp()
    again.whileCurrent { app.start() }
    pair.room.run()
    equal(app.log, ["state poweredOn"])
    let known = app.manager.retrievePeripherals(withIdentifiers: [identifier])
    equal(known.first?.name, "Box")
  }
}
