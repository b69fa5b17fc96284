import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Retrieving peripherals, as others report it")
struct RetrievalReportTests {
  @Test("Before Bluetooth is on both methods return nothing, and are misuse")
  func tooEarly() {
    let pair = Pair().connected()
    let identifier = pair.central.peripheral.identifier
    let app = CentralApp()
    app.queue.sync {
      pair.near.whileCurrent { app.start() }
      expect(app.manager.retrievePeripherals(withIdentifiers: [identifier]).isEmpty)
      expect(app.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "AA00")]).isEmpty)
    }
    equal(pair.centralRemarks(), ["manager.not-powered-on", "manager.not-powered-on"])
    pair.room.run()
    equal(app.manager.retrievePeripherals(withIdentifiers: [identifier]).count, 1)
  }

  @Test("While Bluetooth is off both methods return nothing, and are misuse")
  func off() {
    let pair = Pair().connected()
    pair.room.power(pair.near, false)
    let manager = pair.central.manager!
    expect(manager.retrievePeripherals(withIdentifiers: [pair.central.peripheral.identifier]).isEmpty)
    expect(manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "AA00")]).isEmpty)
    equal(pair.centralRemarks(), ["manager.not-powered-on", "manager.not-powered-on"])
  }

  @Test("The result has the order of the identifiers, and leaves unknown ones out")
  func order() {
    let pair = Pair()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    for bits in 1...3 as ClosedRange<UInt64> { pair.hear(0xC000_0000_0000 + bits) }
    let known = pair.central.found.map(\.identifier)
    let asked = [known[2], UUID(), known[0], known[1]]
    let found = pair.central.manager.retrievePeripherals(withIdentifiers: asked)
    equal(found.map(\.identifier), [known[2], known[0], known[1]])
  }

  @Test("What another manager of the phone has found is known, too")
  func ofAnotherManager() {
    let pair = Pair().discovered()
    let other = pair.second()
    let found = other.manager.retrievePeripherals(withIdentifiers: [pair.central.peripheral.identifier])
    expect(found.count == 1 && found.first !== pair.central.peripheral)
    equal(found.first?.state, .disconnected)
  }

  @Test("A peripheral is known as soon as it is reported")
  func inCallback() {
    let pair = Pair().offered()
    var count: Int?
    pair.central.onDiscover = {
      count = pair.central.manager.retrievePeripherals(withIdentifiers: [$0.identifier]).count
    }
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    equal(count, 1)
  }

  @Test("Without a service retrieveConnectedPeripherals finds nothing")
  func noServices() {
    let pair = Pair().ready()
    expect(pair.central.manager.retrieveConnectedPeripherals(withServices: []).isEmpty)
  }

  @Test("What another manager has connected is found, and is not connected for this one")
  func connectedByOther() {
    let pair = Pair().ready()
    let other = pair.second()
    let found = other.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "AA00")])
    equal(found.map(\.state), [.disconnected])
    pair.run(other) { found[0].discoverServices(nil) }
    equal(pair.centralRemarks(), ["peripheral.not-connected"])
    pair.run(other) { other.manager.connect(found[0]) }
    expect(other.log.last == "connect connected" && pair.connectsAsked == 1)
  }

  @Test("What was connected is not found any more")
  func disconnected() {
    let pair = Pair().ready()
    pair.lose()
    expect(pair.central.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "AA00")]).isEmpty)
  }

  @Test("A peripheral that was found but not connected is not found")
  func onlyFound() {
    let pair = Pair().discovered()
    expect(pair.central.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "AA00")]).isEmpty)
  }

  @Test("A known peripheral is connected to without a scan")
  func withoutScan() {
    let pair = Pair().discovered()
    pair.there { pair.central.manager.stopScan() }
    let other = pair.second()
    let known = other.manager.retrievePeripherals(withIdentifiers: [pair.central.peripheral.identifier])
    pair.run(other) { other.manager.connect(known[0]) }
    expect(known[0].state == .connected && !other.manager.isScanning)
    expect(pair.room.device(pair.near).scan == nil)
  }

  @Test("A retrieved peripheral that nobody retains loses its attempt")
  func notRetained() {
    let pair = Pair().discovered()
    pair.hide()
    let identifier = pair.central.peripheral.identifier
    pair.central.found = []
    pair.there {
      pair.central.manager.connect(pair.central.manager.retrievePeripherals(withIdentifiers: [identifier])[0])
    }
    expect(pair.room.device(pair.near).connecting.isEmpty)
    equal(pair.centralRemarks(), ["central.peripheral-not-retained"])
  }
}
