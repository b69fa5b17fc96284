import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

/// Behaviours from other test suites and from public reports; Docs/corebluetooth.md names the source of each.
@Suite("Connecting, as others report it")
struct LinkReportTests {
  @Test("A cancelled attempt, a cancelled connection and a lost one are all told once by didDisconnectPeripheral")
  func oneCallback() {
    for end in 0..<3 {
      let pair = Pair().discovered()
      if end == 0 { pair.hide() }
      pair.there { pair.central.manager.connect(pair.central.peripheral) }
      if end == 2 {
        pair.lose()
      } else {
        pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
      }
      equal(pair.central.log.filter { $0 == "disconnect disconnected" }.count, 1)
      expect(!pair.central.log.contains("fail"))
    }
  }

  @Test("When the other end ends a link, every manager that uses it is told")
  func bothTold() {
    let pair = Pair().connected()
    let other = pair.second()
    pair.run(other) { other.manager.scanForPeripherals(withServices: nil) }
    pair.run(other) { other.manager.connect(other.peripheral) }
    pair.lose(.remoteUserTerminatedConnection)
    for app in [pair.central, other] {
      equal(app.log.last, "disconnect disconnected")
      equal((app.lastError as? CBError)?.code, .peripheralDisconnected)
    }
  }

  @Test("A second manager connects over the link that is there: nothing goes on the air, and the first is not told")
  func secondManager() {
    let pair = Pair().connected()
    let other = pair.second()
    pair.run(other) { other.manager.scanForPeripherals(withServices: nil) }
    equal(other.peripheral.state, .disconnected)
    pair.run(other) { other.manager.connect(other.peripheral) }
    equal(other.log.last, "connect connected")
    equal(pair.connectsAsked, 1)
    equal(pair.central.log.filter { $0 == "connect connected" }.count, 1)
  }

  @Test("connect during an attempt is not a second attempt, and didConnect comes once")
  func whileConnecting() {
    let pair = Pair().discovered()
    pair.hide()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    equal(pair.connectsAsked, 1)
    pair.show()
    equal(pair.central.log.filter { $0 == "connect connected" }.count, 1)
  }

  @Test("An attempt goes on in background, and ends when the peripheral is back")
  func background() {
    let pair = Pair().discovered()
    pair.hide()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.room.give(pair.near, .background(true))
    equal(pair.central.peripheral.state, .connecting)
    pair.show()
    equal(pair.central.log.last, "connect connected")
  }

  @Test("After a cancelled attempt nothing comes when the peripheral is back")
  func cancelledStays() {
    let pair = Pair().discovered()
    pair.hide()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.manager.stopScan() }
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    let count = pair.central.log.count
    pair.show()
    equal(pair.central.log.count, count)
    equal(pair.central.peripheral.state, .disconnected)
  }

  @Test("Cancelling what is not connected does not prevent a connection")
  func cancelFirst() {
    let pair = Pair().discovered()
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    equal(pair.central.log.last, "connect connected")
  }

  @Test("A peripheral that has lost the bond fails each attempt with the code for it")
  func bondLost() {
    let pair = Pair().discovered()
    pair.hide()
    for number in [70, 71] {
      pair.there { pair.central.manager.connect(pair.central.peripheral) }
      pair.room.device(pair.near).connecting = []
      pair.room.give(pair.near, .connected(LinkID(number), peer: pair.far.settings.address))
      pair.room.give(pair.near, .disconnected(LinkID(number), reason: .pinOrKeyMissing))
      equal(pair.central.log.last, "fail")
      equal((pair.central.lastError as? CBError)?.code, .peerRemovedPairingInformation)
      equal((pair.central.lastError as NSError?)?.code, 14)
      equal(pair.central.peripheral.state, .disconnected)
    }
  }

  @Test("A connection that nobody retains is ended, and the app is told nothing")
  func releasedConnection() {
    let pair = Pair().connected()
    let count = pair.central.log.count
    pair.central.found = []
    pair.room.run()
    expect(pair.room.device(pair.near).links.isEmpty)
    equal(pair.central.log.count, count)
  }

  @Test("A peripheral object is the same after a disconnection, and in the next scan")
  func sameObject() {
    let pair = Pair().connected()
    let object = pair.central.peripheral!
    pair.lose()
    pair.central.found = []
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    expect(pair.central.peripheral === object)
  }

  @Test("A new connection has new objects of services and characteristics")
  func newObjects() {
    let pair = Pair().ready()
    let (service, characteristic) = (pair.central.services[0], pair.central.characteristic("AA01")!)
    pair.lose()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    expect(pair.central.peripheral.services == nil)
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[0]) }
    expect(pair.central.services[0] !== service && pair.central.services[0].uuid == service.uuid)
    expect(pair.central.characteristic("AA01") !== characteristic)
  }

  @Test("A subscription ends with its connection: the next one has none until the app subscribes again")
  func subscriptionEnds() {
    let pair = Pair().subscribed()
    pair.lose()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[0]) }
    expect(!pair.central.characteristic("AA01").isNotifying)
    equal(pair.peripheral.characteristic("AA01").subscribedCentrals, [])
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA01")) }
    expect(pair.central.characteristic("AA01").isNotifying)
    equal(pair.peripheral.log.last, "subscribe AA01")
  }

  @Test("After a disconnection a characteristic that the app kept is not notifying, and there is no room to write")
  func keptCharacteristic() {
    let pair = Pair().subscribed()
    let characteristic = pair.central.characteristic("AA01")!
    expect(characteristic.isNotifying && pair.central.peripheral.canSendWriteWithoutResponse)
    pair.lose()
    expect(!characteristic.isNotifying)
    expect(!pair.central.peripheral.canSendWriteWithoutResponse)
  }

  @Test("Cancelling ends automatic reconnection: the link is not made again")
  func reconnectionCancelled() {
    let pair = Pair().discovered()
    let options = [CBConnectPeripheralOptionEnableAutoReconnect: NSNumber(value: true)]
    pair.there { pair.central.manager.connect(pair.central.peripheral, options: options) }
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(pair.central.log.last, "disconnect disconnected")
    expect(pair.room.device(pair.near).links.isEmpty && pair.connectsAsked == 1)
  }

  @Test("Cancelling while a lost link is made again ends that, too")
  func reconnectingCancelled() {
    let pair = Pair().discovered()
    let options = [CBConnectPeripheralOptionEnableAutoReconnect: true]
    pair.there { pair.central.manager.connect(pair.central.peripheral, options: options) }
    pair.hide()
    pair.lose()
    equal(pair.central.peripheral.state, .connecting)
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    pair.show()
    equal(pair.central.peripheral.state, .disconnected)
    expect(pair.room.device(pair.near).links.isEmpty)
  }

  @Test("Automatic reconnection holds for every loss until it is cancelled")
  func reconnectsAgain() {
    let pair = Pair().discovered()
    let options = [CBConnectPeripheralOptionEnableAutoReconnect: true]
    pair.there { pair.central.manager.connect(pair.central.peripheral, options: options) }
    for _ in 0..<3 {
      pair.lose()
      equal(pair.central.log.suffix(2), ["disconnect connecting", "connect connected"])
    }
  }

  @Test("Without that option a lost link is not made again")
  func noReconnection() {
    let pair = Pair().connected()
    pair.lose()
    expect(pair.central.peripheral.state == .disconnected && pair.connectsAsked == 1)
  }

  @Test("connect in didDisconnectPeripheral makes a new link")
  func connectInCallback() {
    let pair = Pair().connected()
    pair.central.onDisconnect = { pair.central.manager.connect($0) }
    pair.lose()
    equal(pair.central.log.suffix(2), ["disconnect disconnected", "connect connected"])
  }

  @Test("The codes of the supervision timeout and of the other end are numbers 6 and 7 of CBErrorDomain")
  func numbers() {
    for (reason, number) in [(HCI.ErrorCode.connectionTimeout, 6), (.remoteUserTerminatedConnection, 7)] {
      let pair = Pair().connected()
      pair.lose(reason)
      let error = pair.central.lastError as NSError?
      expect(error?.domain == "CBErrorDomain" && error?.code == number)
    }
  }

  @Test("Connecting does not end a scan")
  func scansOn() {
    let pair = Pair().connected()
    expect(pair.central.manager.isScanning)
    pair.hear(name: "Late", services: [BluetoothUUID(0xAA00)])
    equal(pair.central.log.last, "discover Late")
  }

  @Test("Two peripherals are connected at once, each with its own state")
  func two() {
    let pair = Pair().connected()
    pair.addSecond()
    let second = pair.central.found[1]
    equal(second.state, .disconnected)
    pair.there { pair.central.manager.connect(second) }
    expect(second.state == .connected && pair.central.peripheral.state == .connected)
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    expect(second.state == .connected && pair.central.peripheral.state == .disconnected)
  }
}
