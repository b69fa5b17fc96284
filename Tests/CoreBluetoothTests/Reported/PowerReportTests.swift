import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Bluetooth off and on, and states, as others report it")
struct PowerReportTests {
  @Test("Bluetooth off ends a pending attempt without a callback, and it does not come back with Bluetooth")
  func pending() {
    let pair = Pair().discovered()
    pair.hide()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.central.log = []
    pair.room.power(pair.near, false)
    expect(pair.central.log == ["state poweredOff"] && pair.central.peripheral.state == .disconnected)
    pair.room.power(pair.near, true)
    pair.show()
    equal(pair.central.log, ["state poweredOff", "state poweredOn"])
    expect(pair.room.device(pair.near).links.isEmpty)
  }

  @Test("In the callback for “off” peripherals are disconnected already, and have no services")
  func stateInCallback() {
    let pair = Pair().ready()
    var seen: [(CBPeripheralState, Bool)] = []
    pair.central.onState = { _ in
      seen.append((pair.central.peripheral.state, pair.central.peripheral.services == nil))
    }
    pair.room.power(pair.near, false)
    expect(seen.count == 1 && seen[0] == (.disconnected, true))
  }

  @Test("Bluetooth off is no disconnection for any of several peripherals")
  func several() {
    let pair = Pair().connected()
    pair.addSecond()
    pair.there { pair.central.manager.connect(pair.central.found[1]) }
    pair.central.log = []
    pair.room.power(pair.near, false)
    equal(pair.central.log, ["state poweredOff"])
    equal(pair.central.found.map(\.state), [.disconnected, .disconnected])
  }

  @Test("Commands in the callback for “off” are misuse, and nothing follows", arguments: 0..<4)
  func commandsInCallback(command: Int) {
    let pair = Pair().connected()
    pair.central.onState = { manager in
      switch command {
      case 0: manager.cancelPeripheralConnection(pair.central.peripheral)
      case 1: manager.stopScan()
      case 2: manager.connect(pair.central.peripheral)
      default: manager.scanForPeripherals(withServices: nil)
      }
    }
    pair.central.log = []
    pair.room.power(pair.near, false)
    equal(pair.central.log, ["state poweredOff"])
    equal(pair.centralRemarks(), ["manager.not-powered-on"])
    expect(pair.central.peripheral.state == .disconnected && !pair.central.manager.isScanning)
  }

  @Test("A scan ends with Bluetooth, and does not begin again by itself")
  func scan() {
    let pair = Pair().discovered()
    pair.room.power(pair.near, false)
    pair.room.power(pair.near, true)
    expect(!pair.central.manager.isScanning)
    pair.hear(name: "Late")
    equal(pair.central.found.count, 1)
  }

  @Test("A scan that was asked for too early is not made up for")
  func scanTooEarly() {
    let pair = Pair().offered()
    let app = CentralApp()
    app.queue.sync {
      pair.near.whileCurrent { app.start() }
      app.manager.scanForPeripherals(withServices: nil)
    }
    pair.room.run()
    expect(app.log == ["state poweredOn"] && !app.manager.isScanning && app.found.isEmpty)
  }

  @Test("Advertising that was asked for too early is not made up for, and is not answered")
  func advertisingTooEarly() {
    let room = Room()
    let phone = room.add()
    let app = PeripheralApp()
    app.queue.sync {
      phone.whileCurrent { app.start() }
      app.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Box"])
    }
    room.run()
    expect(app.log == ["state poweredOn"] && !app.manager.isAdvertising)
    expect(room.device(phone).advertised == nil)
  }

  @Test("A service that was added too early is not published, and can be added later")
  func serviceTooEarly() {
    let room = Room()
    let phone = room.add()
    let app = PeripheralApp()
    let service = PeripheralApp.makeService()
    app.queue.sync {
      phone.whileCurrent { app.start() }
      app.manager.add(service)
    }
    room.run()
    expect(app.log == ["state poweredOn"] && room.device(phone).table.services.isEmpty)
    app.queue.sync { app.manager.add(service) }
    room.run()
    expect(app.log.last == "added AA00" && app.lastError == nil)
  }

  @Test("A state that has not changed is not told again")
  func once() {
    let pair = Pair()
    for isOn in [false, false, true, true] { pair.room.power(pair.near, isOn) }
    equal(pair.central.log, ["state poweredOn", "state poweredOff", "state poweredOn"])
  }

  @Test("Managers of both roles on one phone are told of Bluetooth off and on")
  func bothRoles() {
    let pair = Pair()
    let server = PeripheralApp()
    pair.near.whileCurrent { server.start() }
    pair.room.run()
    pair.room.power(pair.near, false)
    pair.room.power(pair.near, true)
    equal(server.log, ["state poweredOn", "state poweredOff", "state poweredOn"])
    equal(pair.central.log, server.log)
  }

  @Test("A delegate that is set right after the manager was made is told the first state")
  func lateDelegate() {
    let room = Room()
    let phone = room.add()
    let app = CentralApp()
    app.queue.sync {
      app.manager = phone.whileCurrent { CBCentralManager(delegate: nil, queue: app.queue) }
      app.manager.delegate = app
    }
    room.run()
    equal(app.log, ["state poweredOn"])
  }

  @Test("Bluetooth that the person may not allow leaves the manager unauthorized")
  func restricted() {
    var settings = VirtualPhone.Settings(seed: 1, address: BluetoothAddress(kind: .random, bits: 1))
    settings.authorization = .restricted
    let phone = VirtualPhone(settings)
    let (central, peripheral) = (CentralApp(), PeripheralApp())
    phone.whileCurrent {
      central.start()
      peripheral.start()
    }
    central.queue.sync {}
    peripheral.queue.sync {}
    expect(central.log == ["state unauthorized"] && peripheral.log == ["state unauthorized"])
    equal(central.manager.authorization, .restricted)
  }

  @Test("An app that may use Bluetooth reads that from the class, before it has a manager")
  func allowed() {
    let phone = Room().add()
    phone.whileCurrent {
      equal(CBManager.authorization, .allowedAlways)
      equal(CBCentralManager.authorization, .allowedAlways)
      equal(CBPeripheralManager.authorizationStatus(), .authorized)
    }
  }

  @Test("A manager with an identifier for which nothing was kept restores nothing")
  func nothingKept() {
    let room = Room()
    let phone = room.add()
    let app = CentralApp()
    phone.whileCurrent { app.start(options: [CBCentralManagerOptionRestoreIdentifierKey: "central"]) }
    room.run()
    equal(app.log, ["state poweredOn"])
  }

  @Test("Another identifier does not restore what was kept under the first")
  func otherIdentifier() {
    let (room, memory) = kept { $0.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
    let app = restored(room, memory, identifier: "other")
    expect(app.log == ["state poweredOn"] && !app.manager.isScanning)
  }

  @Test("Commands in willRestoreState are misuse: the state is not known yet")
  func inRestoration() {
    let (room, memory) = kept { $0.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
    var state: CBManagerState?
    let app = restored(room, memory) { app in
      state = app.manager?.state
      app.manager?.scanForPeripherals(withServices: [CBUUID(string: "BB00")])
    }
    equal(app.log.prefix(2), ["restore", "state poweredOn"])
    equal(state, .unknown)
    equal(room.devices[0].phone.takeRemarks().map(\.name.rawValue), ["manager.not-powered-on"])
    equal(room.devices[0].scan, [CBUUID(string: "AA00").wire])
  }

  @Test("A restored scan has its services only if it looked for some, and its options only if it had one")
  func scanKeys() {
    let all = restored(kept { $0.scanForPeripherals(withServices: nil) })
    expect(all.manager.isScanning)
    equal(all.restored.keys.sorted(), [CBCentralManagerRestoredStatePeripheralsKey])
    let both = restored(
      kept {
        $0.scanForPeripherals(
          withServices: [CBUUID(string: "AA00")], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
      })
    let options = both.restored[CBCentralManagerRestoredStateScanOptionsKey] as? [String: Any]
    equal(options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool, true)
    expect(both.restored.count == 3 && options?.count == 1)
    let solicited = [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [CBUUID(string: "180D")]]
    let asking = restored(
      kept { $0.scanForPeripherals(withServices: [CBUUID(string: "AA00")], options: solicited) })
    equal(asking.restored[CBCentralManagerRestoredStateScanOptionsKey] as? [String: [CBUUID]], solicited)
  }

  @Test("Without a scan the restored dictionary has no words about one")
  func noScanKeys() {
    let app = restored(kept { _ in })
    equal(app.restored.keys.sorted(), [CBCentralManagerRestoredStatePeripheralsKey])
    expect(!app.manager.isScanning)
  }

  /// A manager with an identifier, and what its phone keeps.
  private func kept(_ body: (CBCentralManager) -> Void) -> (Room, PhoneMemory) {
    let room = Room()
    let phone = room.add()
    let app = CentralApp()
    phone.whileCurrent { app.start(options: [CBCentralManagerOptionRestoreIdentifierKey: "central"]) }
    room.run()
    app.queue.sync { body(app.manager) }
    room.run()
    return (room, phone.remember())
  }

  private func restored(_ kept: (Room, PhoneMemory)) -> CentralApp { restored(kept.0, kept.1) }

  private func restored(
    _ room: Room, _ memory: PhoneMemory, identifier: String = "central",
    _ body: @escaping (CentralApp) -> Void = { _ in }
  ) -> CentralApp {
    let phone = room.add(memory: memory, at: 0)
    let app = CentralApp()
    app.onRestore = { [unowned app] in body(app) }
    // On its queue, so that nothing is told before the app has its manager.
    app.queue.sync {
      phone.whileCurrent { app.start(options: [CBCentralManagerOptionRestoreIdentifierKey: identifier]) }
    }
    room.run()
    return app
  }
}
