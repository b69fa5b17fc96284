import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Publishing and advertising, as others report it")
struct PublishReportTests {
  @Test("Services are told one by one, in the order in which they were added")
  func added() {
    let pair = Pair()
    pair.here {
      for uuid in ["CC00", "AA00", "BB00"] {
        pair.peripheral.manager.add(CBMutableService(type: CBUUID(string: uuid), primary: true))
      }
    }
    equal(pair.peripheral.log.suffix(3), ["added CC00", "added AA00", "added BB00"])
  }

  @Test("Two characteristics of one type may be in one service")
  func twins() {
    let pair = Pair().connected()
    let both = (0..<2).map { _ in
      CBMutableCharacteristic(type: CBUUID(string: "CC01"), properties: .read, value: nil, permissions: .readable)
    }
    _ = pair.publish("CC00", both)
    expect(pair.peripheral.log.last == "added CC00" && pair.peripheral.lastError == nil)
    equal(pair.room.device(pair.far).table.all.filter { $0.uuid == BluetoothUUID(0xCC01) }.count, 2)
  }

  @Test("Removing one service leaves the others")
  func removeOne() {
    let pair = Pair().connected()
    let service = pair.publish("CC00")
    pair.here { pair.peripheral.manager.remove(service) }
    pair.there { pair.central.peripheral.discoverServices(nil) }
    equal(pair.central.services.map(\.uuid.uuidString), ["AA00"])
  }

  @Test("removeAllServices removes those of its manager")
  func removeAll() {
    let pair = Pair().connected()
    let other = PeripheralApp()
    pair.far.whileCurrent { other.start() }
    pair.room.run()
    other.queue.sync { other.manager.add(CBMutableService(type: CBUUID(string: "CC00"), primary: true)) }
    pair.room.run()
    pair.here { pair.peripheral.manager.removeAllServices() }
    pair.there { pair.central.peripheral.discoverServices(nil) }
    equal(pair.central.services.map(\.uuid.uuidString), ["CC00"])
  }

  @Test("A characteristic of a removed service has no subscribers, and cannot be updated")
  func removedCharacteristic() {
    let pair = Pair().subscribed()
    let characteristic = pair.peripheral.characteristic("AA01")!
    pair.here {
      pair.peripheral.manager.remove(pair.peripheral.service)
      expect(!pair.peripheral.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil))
    }
    expect(characteristic.subscribedCentrals == [] && pair.central.values.isEmpty)
    equal(pair.peripheralRemarks(), ["update.not-published"])
  }

  @Test("Local objects show what they were made with")
  func locals() {
    let service = PeripheralApp.makeService()
    let all = service.characteristics![0] as? CBMutableCharacteristic
    expect(service.isPrimary && service.peripheral == nil && service.includedServices == nil)
    equal(all?.properties, [.read, .write, .writeWithoutResponse, .notify])
    expect(all?.permissions == [.readable, .writeable] && all?.value == nil && all?.isNotifying == false)
    expect(all?.service === service && all?.descriptors?[0].characteristic === all)
    equal(all?.descriptors?[0].value as? String, "all")
    equal(service.characteristics![1].value, Data("fixed".utf8))
  }

  @Test("Advertising is on once that was told, and not when it was asked for")
  func starts() {
    let pair = Pair()
    pair.peripheral.queue.sync {
      pair.peripheral.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Box"])
      expect(!pair.peripheral.manager.isAdvertising)
    }
    pair.room.run()
    expect(pair.peripheral.log.last == "advertising" && pair.peripheral.manager.isAdvertising)
  }

  @Test("Advertising without data is advertising")
  func withoutData() {
    let pair = Pair()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    pair.here { pair.peripheral.manager.startAdvertising(nil) }
    expect(pair.peripheral.log.last == "advertising" && pair.peripheral.lastError == nil)
    expect(pair.peripheral.manager.isAdvertising && pair.central.log.last == "discover -")
  }

  @Test("Advertising that was stopped starts again, with other data")
  func startsAgain() {
    let pair = Pair().offered()
    pair.here {
      pair.peripheral.manager.stopAdvertising()
      pair.peripheral.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Other"])
    }
    expect(pair.peripheral.log.suffix(2) == ["advertising", "advertising"] && pair.peripheral.lastError == nil)
    equal(pair.room.device(pair.far).advertised?.localName, "Other")
  }

  @Test("A name that is no text is not advertised, and is no error")
  func badName() {
    let pair = Pair()
    let data: [String: Any] = [
      CBAdvertisementDataLocalNameKey: [1, 2, 3] as [UInt8],
      CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "AA00")],
    ]
    pair.here { pair.peripheral.manager.startAdvertising(data) }
    expect(pair.peripheral.log.last == "advertising" && pair.peripheral.lastError == nil)
    equal(pair.room.device(pair.far).advertised?.localName, "")
    equal(pair.room.device(pair.far).advertised?.serviceUUIDs, [BluetoothUUID(0xAA00)])
  }

  @Test("stopAdvertising without advertising does nothing")
  func stopIdle() {
    let pair = Pair()
    pair.here { pair.peripheral.manager.stopAdvertising() }
    expect(pair.peripheral.log == ["state poweredOn"] && pair.peripheralRemarks() == [])
  }

  @Test("Services stay published when advertising stops: a connected central reads on")
  func stopKeepsServices() {
    let pair = Pair().ready()
    pair.hide()
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA02")) }
    equal(pair.central.values, [Data("fixed".utf8)])
  }
}
