import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Misuse in the central role")
struct CentralMisuseTests {
  @Test("Reading what is not readable is answered with an error")
  func notReadable() {
    let pair = Pair().ready()
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA04")) }
    equal((pair.central.lastError as? CBATTError)?.code, .readNotPermitted)
    equal(pair.centralRemarks(), ["peripheral.not-readable"])
  }

  @Test("A write of a type that the characteristic lacks: an error with response, ignored without")
  func wrongType() {
    let pair = Pair().ready()
    pair.there {
      pair.central.peripheral.writeValue(Data([1]), for: pair.central.characteristic("AA02"), type: .withResponse)
    }
    equal((pair.central.lastError as? CBATTError)?.code, .writeNotPermitted)
    pair.central.log = []
    pair.there {
      pair.central.peripheral.writeValue(Data([1]), for: pair.central.characteristic("AA04"), type: .withoutResponse)
    }
    expect(pair.central.log.isEmpty)
    expect(pair.peripheral.writes.isEmpty)
    equal(pair.centralRemarks(), ["peripheral.not-writable", "peripheral.not-writable"])
  }

  @Test("Values that are too long: an error with response, dropped without")
  func tooLong() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there {
      pair.central.peripheral.writeValue(Data(count: 513), for: characteristic, type: .withResponse)
    }
    equal((pair.central.lastError as? CBATTError)?.code, .invalidAttributeValueLength)
    pair.there {
      pair.central.peripheral.writeValue(Data(count: 183), for: characteristic, type: .withoutResponse)
    }
    expect(pair.peripheral.writes.isEmpty)
    equal(pair.centralRemarks(), ["peripheral.value-too-long", "peripheral.value-too-long"])
  }

  @Test("Notifications of a characteristic without them are answered with an error")
  func notNotifying() {
    let pair = Pair().ready()
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA02")) }
    equal((pair.central.lastError as? CBATTError)?.code, .requestNotSupported)
    equal(pair.centralRemarks(), ["peripheral.not-notifying"])
  }

  @Test("Subscribing while disconnected is ignored and remarked")
  func subscribeDisconnected() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    pair.there { pair.central.peripheral.setNotifyValue(true, for: characteristic) }
    equal(pair.centralRemarks(), ["peripheral.not-connected"])
  }

  @Test("The client characteristic configuration cannot be written by hand")
  func configuration() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.discoverDescriptors(for: characteristic) }
    pair.there { pair.central.peripheral.writeValue(Data([1, 0]), for: characteristic.descriptors![0]) }
    let remarks = pair.near.takeRemarks()
    equal(remarks.map(\.kind), [.exception])
    equal(remarks.map(\.name.rawValue), ["peripheral.configuration-descriptor"])
  }

  @Test("Attributes of another peripheral object are refused")
  func foreign() {
    let pair = Pair().ready()
    let local = CBMutableCharacteristic(type: CBUUID(string: "AA01"), properties: .read, value: nil, permissions: [])
    pair.there { pair.central.peripheral.readValue(for: local) }
    equal(pair.centralRemarks(), ["peripheral.foreign-attribute"])
  }

  @Test("Cancelling what is not connected does nothing")
  func cancelIdle() {
    let pair = Pair().discovered()
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(pair.central.log.last, "discover Box")
    equal(pair.centralRemarks(), ["central.cancel-idle"])
  }

  @Test("A peripheral without a delegate is remarked when it has something to tell")
  func noDelegate() {
    let pair = Pair().connected()
    pair.central.peripheral.delegate = nil
    pair.there { pair.central.peripheral.discoverServices(nil) }
    equal(pair.central.peripheral.services?.count, 1)
    equal(pair.centralRemarks(), ["peripheral.no-delegate"])
  }

  @Test("Options of connections that are not modelled are remarked, and do no harm")
  func options() {
    let pair = Pair().discovered()
    pair.there {
      pair.central.manager.connect(
        pair.central.peripheral,
        options: [
          CBConnectPeripheralOptionNotifyOnConnectionKey: true,
          CBConnectPeripheralOptionStartDelayKey: NSNumber(value: 1),
        ])
    }
    equal(pair.central.peripheral.state, .connected)
    equal(pair.centralRemarks(), ["central.connect-option"])
  }
}
