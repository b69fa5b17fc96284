import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

/// A delegate that implements what it must and nothing else.
private final class BareDelegate: CBPeripheralManagerDelegate {
  var states = 0
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { states += 1 }
}

@Suite("Requests, and misuse in the peripheral role")
struct RequestTests {
  @Test("An answer later than the callback is good")
  func late() {
    let pair = Pair().ready()
    pair.peripheral.answer = nil
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    expect(pair.central.log.isEmpty)
    pair.here {
      pair.peripheral.reads[0].value = Data([4])
      pair.peripheral.manager.respond(to: pair.peripheral.reads[0], withResult: .success)
    }
    equal(pair.central.values, [Data([4])])
  }

  @Test("A second answer is ignored and remarked")
  func twice() {
    let pair = Pair().ready()
    pair.there {
      pair.central.peripheral.writeValue(Data([1]), for: pair.central.characteristic("AA01"), type: .withResponse)
    }
    pair.here { pair.peripheral.manager.respond(to: pair.peripheral.writes[0][0], withResult: .unlikelyError) }
    equal(pair.central.log, ["written AA01"])
    equal(pair.peripheralRemarks(), ["request.answered-twice"])
  }

  @Test("A request that the delegate does not handle is refused")
  func unhandled() {
    let pair = Pair().ready()
    let delegate = BareDelegate()
    pair.peripheral.manager.delegate = delegate
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    equal((pair.central.lastError as? CBATTError)?.code, .requestNotSupported)
    equal(pair.peripheralRemarks(), ["request.not-handled"])
  }

  @Test("Permissions are kept by the stack: a write that they forbid does not reach the app")
  func permissions() {
    let pair = Pair().connected()
    let service = CBMutableService(type: CBUUID(string: "CC00"), primary: true)
    service.characteristics = [
      CBMutableCharacteristic(
        type: CBUUID(string: "CC01"), properties: [.read, .write], value: nil, permissions: .readable)
    ]
    pair.here { pair.peripheral.manager.add(service) }
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[0]) }
    pair.there {
      pair.central.peripheral.writeValue(Data([1]), for: pair.central.characteristic("CC01"), type: .withResponse)
    }
    equal((pair.central.lastError as? CBATTError)?.code, .writeNotPermitted)
    expect(pair.peripheral.writes.isEmpty)
  }

  @Test("A cached value with more than reading raises an exception")
  func cachedNotReadOnly() {
    let pair = Pair()
    pair.here {
      _ = CBMutableCharacteristic(
        type: CBUUID(string: "AA01"), properties: [.read, .notify], value: Data([1]), permissions: .readable)
      _ = CBMutableCharacteristic(
        type: CBUUID(string: "AA01"), properties: [.read], value: Data([1]), permissions: [.readable, .writeable])
    }
    let remarks = pair.far.takeRemarks()
    equal(remarks.map(\.name.rawValue), Array(repeating: "local.cached-value-not-read-only", count: 2))
    equal(remarks[0].kind, .exception)
  }

  @Test("Without a recording phone an exception ends the process")
  func trap() async {
    await #expect(processExitsWith: .failure) {
      _ = CBMutableCharacteristic(
        type: CBUUID(string: "AA01"), properties: [.read, .write], value: Data([1]), permissions: .readable)
    }
  }

  @Test("Broadcast and extended properties raise an exception")
  func properties() {
    let pair = Pair()
    pair.here {
      _ = CBMutableCharacteristic(
        type: CBUUID(string: "AA01"), properties: [.broadcast], value: nil, permissions: .readable)
    }
    equal(pair.peripheralRemarks(), ["local.property-not-allowed"])
  }

  @Test("Descriptors other than user description and presentation format raise an exception")
  func descriptors() {
    let pair = Pair()
    pair.here {
      _ = CBMutableDescriptor(type: CBUUID(string: "2902"), value: Data([0, 0]))
      _ = CBMutableDescriptor(type: CBUUID(string: "2901"), value: Data([0, 0]))
      _ = CBMutableDescriptor(type: CBUUID(string: "2904"), value: Data(count: 7))
      _ = CBMutableDescriptor(type: CBUUID(string: "2901"), value: "good")
    }
    equal(pair.peripheralRemarks(), ["local.descriptor-kind", "local.descriptor-kind"])
  }

  @Test("A service cannot be added twice")
  func addedTwice() {
    let pair = Pair().offered()
    pair.here { pair.peripheral.manager.add(pair.peripheral.service) }
    equal(pair.peripheralRemarks(), ["local.service-added-twice"])
    equal(pair.room.device(pair.far).table.services.count, 1)
  }

  @Test("A service of the system cannot be added")
  func systemService() {
    let pair = Pair()
    pair.here { pair.peripheral.manager.add(CBMutableService(type: CBUUID(string: "180F"), primary: true)) }
    equal(pair.peripheral.log.last, "added 180F")
    equal((pair.peripheral.lastError as? CBError)?.code, .uuidNotAllowed)
    equal(pair.peripheralRemarks(), ["local.uuid-not-allowed"])
  }

  @Test("Removing what is not published is remarked")
  func notAdded() {
    let pair = Pair()
    pair.here { pair.peripheral.manager.remove(PeripheralApp.makeService()) }
    equal(pair.peripheralRemarks(), ["local.service-not-added"])
  }

  @Test("An included service has to be published before")
  func included() {
    let pair = Pair()
    let outer = CBMutableService(type: CBUUID(string: "CC00"), primary: true)
    outer.includedServices = [CBMutableService(type: CBUUID(string: "CC01"), primary: false)]
    pair.here { pair.peripheral.manager.add(outer) }
    equal(pair.peripheral.log.last, "added CC00")
    equal((pair.peripheral.lastError as? CBError)?.code, .invalidParameters)
    equal(pair.peripheralRemarks(), ["local.included-not-published"])
  }

  @Test("A service that another one includes is not removed before that one")
  func includedStillUsed() {
    let pair = Pair()
    let inner = CBMutableService(type: CBUUID(string: "CC01"), primary: false)
    let outer = CBMutableService(type: CBUUID(string: "CC00"), primary: true)
    outer.includedServices = [inner]
    pair.here {
      pair.peripheral.manager.add(inner)
      pair.peripheral.manager.add(outer)
      pair.peripheral.manager.remove(inner)
    }
    equal(pair.room.device(pair.far).table.services.count, 2)
    equal(pair.peripheralRemarks(), ["local.included-service-still-used"])
    pair.here {
      pair.peripheral.manager.remove(outer)
      pair.peripheral.manager.remove(inner)
    }
    expect(pair.room.device(pair.far).table.services.isEmpty)
  }

  @Test("What is changed after publication has no effect, and is remarked")
  func changed() {
    let pair = Pair().ready()
    pair.here {
      pair.peripheral.service.characteristics = []
      pair.peripheral.service = nil
    }
    equal(pair.peripheralRemarks(), ["local.changed-after-publication"])
    equal(pair.room.device(pair.far).table.all.count, 4)
  }

  @Test("A value set on a published dynamic characteristic is not sent, and is remarked")
  func dynamicValue() {
    let pair = Pair().subscribed()
    pair.here { pair.peripheral.characteristic("AA01").value = Data([1]) }
    expect(pair.central.values.isEmpty)
    equal(pair.peripheralRemarks(), ["local.value-after-publication"])
  }

  @Test("updateValue of a characteristic that is not published, or does not notify, is refused")
  func updateMisuse() {
    let pair = Pair().ready()
    let stray = CBMutableCharacteristic(type: CBUUID(string: "DD01"), properties: .notify, value: nil, permissions: [])
    pair.here {
      expect(!pair.peripheral.manager.updateValue(Data(), for: stray, onSubscribedCentrals: nil))
      expect(
        !pair.peripheral.manager.updateValue(
          Data(), for: pair.peripheral.characteristic("AA04"), onSubscribedCentrals: nil))
    }
    equal(pair.peripheralRemarks(), ["update.not-published", "update.not-notifying"])
  }

  @Test("A delegate that is no NSObject and implements one method is enough")
  func smallDelegate() {
    let phone = Room().add()
    let delegate = BareDelegate()
    let queue = DispatchQueue(label: "small")
    let manager = phone.whileCurrent { CBPeripheralManager(delegate: delegate, queue: queue, options: nil) }
    queue.sync {}
    equal(delegate.states, 1)
    equal(manager.state, .poweredOn)
  }
}
