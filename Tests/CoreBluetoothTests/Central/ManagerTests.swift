import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Managers")
struct ManagerTests {
  @Test("A manager begins unknown, and tells its state later on its queue")
  func firstState() {
    let room = Room()
    let phone = room.add()
    let app = CentralApp()
    app.queue.sync {
      phone.whileCurrent { app.start() }
      expect(app.log.isEmpty)
      equal(app.manager.state, .unknown)
    }
    room.run()
    equal(app.log, ["state poweredOn"])
    equal(app.manager.state, .poweredOn)
  }

  @Test("Without a phone a manager is unsupported")
  func noPhone() {
    let app = CentralApp()
    app.start()
    equal(app.manager.state, .unsupported)
    app.queue.sync {}
    equal(app.log, ["state unsupported"])
    app.manager.scanForPeripherals(withServices: nil)
    expect(!app.manager.isScanning)
  }

  @Test("A person who refuses leaves the manager unauthorized")
  func unauthorized() {
    var settings = VirtualPhone.Settings(seed: 1, address: BluetoothAddress(kind: .random, bits: 1))
    settings.authorization = .denied
    let phone = VirtualPhone(settings)
    let app = CentralApp()
    phone.whileCurrent {
      equal(CBManager.authorization, .denied)
      app.start()
    }
    app.queue.sync {}
    equal(app.log, ["state unauthorized"])
  }

  @Test("Bluetooth off: the scan ends, peripherals are disconnected, no other call comes")
  func powerOff() {
    let pair = Pair().ready()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    pair.central.log = []
    pair.room.power(pair.near, false)
    equal(pair.central.log, ["state poweredOff"])
    expect(!pair.central.manager.isScanning)
    equal(pair.central.peripheral.state, .disconnected)
    pair.room.power(pair.near, true)
    equal(pair.central.log, ["state poweredOff", "state poweredOn"])
  }

  @Test("Bluetooth off: advertising pauses and subscribers are gone; services stay, and advertising resumes")
  func powerOffPeripheral() {
    let pair = Pair().subscribed()
    pair.peripheral.log = []
    pair.room.power(pair.far, false)
    equal(pair.peripheral.log, ["state poweredOff"])
    expect(!pair.peripheral.manager.isAdvertising)
    equal(pair.peripheral.characteristic("AA01").subscribedCentrals, [])
    equal(pair.central.log.last, "disconnect disconnected")
    pair.room.power(pair.far, true)
    equal(pair.far.local.entries.count, 1)
    equal(pair.peripheral.log, ["state poweredOff", "state poweredOn"])
    expect(pair.peripheral.manager.isAdvertising)
    equal(pair.room.device(pair.far).advertised?.localName, "Box")
  }

  @Test("Commands before the state is powered on are ignored and remarked")
  func tooEarly() {
    let room = Room()
    let phone = room.add()
    let central = CentralApp()
    let peripheral = PeripheralApp()
    central.queue.sync {
      phone.whileCurrent { central.start() }
      central.manager.scanForPeripherals(withServices: nil)
      expect(!central.manager.isScanning)
    }
    peripheral.queue.sync {
      phone.whileCurrent { peripheral.start() }
      peripheral.manager.startAdvertising(nil)
      peripheral.manager.add(CBMutableService(type: CBUUID(string: "AA00"), primary: true))
    }
    let remarks = phone.takeRemarks()
    equal(remarks.map(\.name.rawValue), Array(repeating: "manager.not-powered-on", count: 3))
    equal(remarks[0].kind, .misuse)
    room.run()
    expect(room.device(phone).asked.allSatisfy { if case .report = $0 { true } else { false } })
  }

  @Test("Managers of both roles and several of each live on one phone")
  func several() {
    let pair = Pair().discovered()
    let second = CentralApp()
    let server = PeripheralApp()
    pair.near.whileCurrent {
      second.start()
      server.start()
    }
    pair.room.run()
    second.queue.sync { second.manager.scanForPeripherals(withServices: nil) }
    pair.room.run()
    equal(second.log, ["state poweredOn", "discover Box"])
    expect(second.peripheral !== pair.central.peripheral)
    equal(second.peripheral.identifier, pair.central.peripheral.identifier)
    pair.room.run()
    server.queue.sync { server.offer("Other") }
    pair.room.run()
    expect(server.manager.isAdvertising)
  }

  @Test("Delegates are not retained; what they miss is remarked")
  func weakDelegate() {
    let room = Room()
    let phone = room.add()
    var app: CentralApp? = CentralApp()
    let manager = phone.whileCurrent { CBCentralManager(delegate: app, queue: app!.queue) }
    room.run()
    weak let gone = app
    app = nil
    expect(gone == nil)
    expect(manager.delegate == nil)
    room.power(phone, false)
    equal(phone.takeRemarks().map(\.name.rawValue), ["manager.delegate-gone"])
  }

  @Test("A manager that is gone ends its scan, its attempts and its connections")
  func managerGone() {
    let pair = Pair().connected()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    pair.central.manager = nil
    pair.room.run()
    expect(pair.room.device(pair.near).scan == nil)
    expect(pair.room.device(pair.near).links.isEmpty)
  }

  @Test("Managers made with the empty initialiser use the main queue")
  func mainQueue() {
    let phone = Room().add()
    let manager = phone.whileCurrent { CBCentralManager() }
    expect(manager.delegate == nil)
    equal(manager.queue.label, DispatchQueue.main.label)
  }

  @Test("The phone of a queue's manager is the current one on that queue")
  func currentOnQueue() {
    let pair = Pair()
    pair.central.queue.sync { expect(VirtualPhone.current === pair.near) }
    expect(VirtualPhone.current == nil)
  }
}
