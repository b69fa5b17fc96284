import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Connecting")
struct ConnectTests {
  @Test("connect goes over connecting to connected, and didConnect comes")
  func connects() {
    let pair = Pair().discovered()
    pair.central.queue.sync { pair.central.manager.connect(pair.central.peripheral) }
    equal(pair.central.peripheral.state, .connecting)
    pair.room.run()
    equal(pair.central.log.last, "connect connected")
  }

  @Test("A connection attempt never times out, though the stack gives up")
  func noTimeout() {
    let pair = Pair().discovered()
    pair.here { pair.peripheral.manager.stopAdvertising() }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.room.device(pair.near).connecting = []
    pair.room.give(pair.near, .connectFailed(pair.far.settings.address, reason: .connectionTimeout))
    equal(pair.central.peripheral.state, .connecting)
    pair.here { pair.peripheral.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Box"]) }
    equal(pair.central.peripheral.state, .connected)
  }

  @Test("A failed attempt is told with an error")
  func fails() {
    let pair = Pair().discovered()
    pair.here { pair.peripheral.manager.stopAdvertising() }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.room.give(pair.near, .connectFailed(pair.far.settings.address, reason: .connectionLimitExceeded))
    equal(pair.central.log.last, "fail")
    equal((pair.central.lastError as? CBError)?.code, .connectionLimitReached)
    equal(pair.central.peripheral.state, .disconnected)
  }

  @Test("Cancelling a pending attempt is told as a disconnection without error")
  func cancelPending() {
    let pair = Pair().discovered()
    pair.here { pair.peripheral.manager.stopAdvertising() }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(pair.central.log.last, "disconnect disconnected")
    expect(pair.central.lastError == nil)
    expect(pair.room.device(pair.near).connecting.isEmpty)
  }

  @Test("Cancelling a connection ends it without error, over disconnecting")
  func cancel() {
    let pair = Pair().connected()
    pair.central.queue.sync { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(pair.central.peripheral.state, .disconnecting)
    pair.room.run()
    equal(pair.central.log.last, "disconnect disconnected")
    expect(pair.central.lastError == nil)
    expect(pair.room.device(pair.near).links.isEmpty)
  }

  @Test("connect at once after a cancellation waits for the end of the old link, and then makes a new one")
  func cancelThenConnect() {
    let pair = Pair().connected()
    pair.central.queue.sync {
      pair.central.manager.cancelPeripheralConnection(pair.central.peripheral)
      pair.central.manager.connect(pair.central.peripheral)
    }
    equal(pair.central.peripheral.state, .connecting)
    let first = pair.room.device(pair.near).links.map(\.id)
    pair.room.run()
    equal(pair.central.log.suffix(3), ["connect connected", "disconnect connecting", "connect connected"])
    expect(pair.central.lastError == nil && pair.central.peripheral.state == .connected)
    let now = pair.room.device(pair.near).links.map(\.id)
    expect(now.count == 1 && now != first)
  }

  @Test("A connection that is cancelled again while the old link ends is told once, and nothing comes after it")
  func cancelThenConnectThenCancel() {
    let pair = Pair().connected()
    pair.central.queue.sync {
      pair.central.manager.cancelPeripheralConnection(pair.central.peripheral)
      pair.central.manager.connect(pair.central.peripheral)
      pair.central.manager.cancelPeripheralConnection(pair.central.peripheral)
    }
    pair.room.run()
    equal(pair.central.log.suffix(2), ["connect connected", "disconnect disconnected"])
    expect(pair.room.device(pair.near).links.isEmpty && pair.room.device(pair.near).connecting.isEmpty)
  }

  @Test("The supervision timeout and the other end have their errors")
  func reasons() {
    for (reason, code) in [
      (HCI.ErrorCode.connectionTimeout, CBError.Code.connectionTimeout),
      (.remoteUserTerminatedConnection, .peripheralDisconnected),
      (.connectionFailedToBeEstablished, .connectionFailed),
      (.pinOrKeyMissing, .peerRemovedPairingInformation),
    ] {
      let pair = Pair().connected()
      let near = pair.room.device(pair.near)
      pair.room.end(near.links[0].id, of: near, here: reason)
      pair.room.run()
      equal((pair.central.lastError as? CBError)?.code, code)
      equal(pair.central.log.last, "disconnect disconnected")
    }
  }

  @Test("A disconnection voids services and what was discovered")
  func voids() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    let near = pair.room.device(pair.near)
    pair.room.end(near.links[0].id, of: near, here: .connectionTimeout)
    pair.room.run()
    expect(pair.central.peripheral.services == nil)
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.peripheral.readValue(for: characteristic) }
    expect(pair.centralRemarks().contains("peripheral.stale-attribute"))
  }

  @Test("A peripheral that nobody retains loses its attempt, and the remark says so")
  func notRetained() {
    let pair = Pair().discovered()
    pair.here { pair.peripheral.manager.stopAdvertising() }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.central.found = []
    pair.room.run()
    expect(pair.room.device(pair.near).connecting.isEmpty)
    equal(pair.centralRemarks(), ["central.peripheral-not-retained"])
  }

  @Test("connect of a connected peripheral is answered again")
  func twice() {
    let pair = Pair().connected()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    equal(pair.central.log.suffix(2), ["connect connected", "connect connected"])
    equal(pair.room.device(pair.near).links.count, 1)
  }

  @Test("A peripheral of another manager is refused")
  func foreign() {
    let pair = Pair().discovered()
    let other = CentralApp()
    pair.near.whileCurrent { other.start() }
    pair.room.run()
    other.queue.sync { other.manager.connect(pair.central.peripheral) }
    pair.room.run()
    equal(pair.central.peripheral.state, .disconnected)
    equal(pair.centralRemarks(), ["central.foreign-peripheral"])
  }

  @Test("Two managers share one link; it ends with the last of them")
  func shared() {
    let pair = Pair().connected()
    let other = CentralApp()
    pair.near.whileCurrent { other.start() }
    pair.room.run()
    other.queue.sync { other.manager.scanForPeripherals(withServices: nil) }
    pair.room.run()
    other.queue.sync { other.manager.connect(other.peripheral) }
    pair.room.run()
    equal(other.log.last, "connect connected")
    equal(pair.room.device(pair.near).links.count, 1)
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(pair.central.log.last, "disconnect disconnected")
    equal(other.peripheral.state, .connected)
    equal(pair.room.device(pair.near).links.count, 1)
    other.queue.sync { other.manager.cancelPeripheralConnection(other.peripheral) }
    pair.room.run()
    expect(pair.room.device(pair.near).links.isEmpty)
  }

  @Test("A peer that is connected as a central is connected to over the same link")
  func bothRoles() {
    let pair = Pair().ready()
    let back = CentralApp()
    let server = PeripheralApp()
    pair.far.whileCurrent { back.start() }
    pair.near.whileCurrent { server.start() }
    pair.room.run()
    server.queue.sync { server.offer("Near") }
    pair.room.run()
    back.queue.sync { back.manager.scanForPeripherals(withServices: nil) }
    pair.room.run()
    back.queue.sync { back.manager.connect(back.peripheral) }
    pair.room.run()
    equal(back.log.last, "connect connected")
    equal(pair.room.device(pair.far).links.count, 1)
    back.queue.sync { back.peripheral.discoverServices(nil) }
    pair.room.run()
    equal(back.services.map(\.uuid), [CBUUID(string: "AA00")])
    back.queue.sync { back.manager.cancelPeripheralConnection(back.peripheral) }
    pair.room.run()
    equal(back.log.last, "disconnect disconnected")
    equal(pair.central.peripheral.state, .connected)
  }

  @Test("Peripherals with a link are retrieved by a service of theirs")
  func retrieveConnected() {
    let pair = Pair().connected()
    let manager = pair.central.manager!
    equal(manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "AA00")]), [pair.central.peripheral])
    expect(manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "BB00")]).isEmpty)
  }

  @Test("With automatic reconnection a lost connection is made again")
  func reconnects() {
    let pair = Pair().discovered()
    pair.there {
      pair.central.manager.connect(
        pair.central.peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
    }
    let near = pair.room.device(pair.near)
    pair.room.end(near.links[0].id, of: near, here: .connectionTimeout)
    pair.room.run()
    equal(pair.central.log.suffix(2), ["disconnect connecting", "connect connected"])
  }

  @Test("Connection events are told to who registered for them")
  func events() {
    let pair = Pair().discovered()
    pair.there {
      pair.central.manager.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID(string: "AA00")]])
    }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    expect(pair.central.log.contains("event peerConnected"))
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    expect(pair.central.log.contains("event peerDisconnected"))
    equal(pair.centralRemarks(), ["central.connection-events"])
  }

  @Test("No hardware feature is supported")
  func features() {
    expect(!CBCentralManager.supports(.extendedScanAndConnect))
  }
}
