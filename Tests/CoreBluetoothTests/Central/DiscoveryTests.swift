import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Discovery")
struct DiscoveryTests {
  @Test("Services by type, and all of them")
  func services() {
    let pair = Pair().connected()
    pair.here { pair.peripheral.manager.add(CBMutableService(type: CBUUID(string: "CC00"), primary: true)) }
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "AA00")]) }
    equal(pair.central.log.last, "services")
    equal(pair.central.services.map(\.uuid.uuidString), ["AA00"])
    pair.there { pair.central.peripheral.discoverServices(nil) }
    equal(pair.central.services.map(\.uuid.uuidString), ["AA00", "CC00"])
    expect(pair.central.services[0].isPrimary)
    expect(pair.central.services[0].peripheral === pair.central.peripheral)
  }

  @Test("A service that is not there is not found, without an error")
  func missing() {
    let pair = Pair().connected()
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "BB00")]) }
    equal(pair.central.peripheral.services, [])
    expect(pair.central.lastError == nil)
  }

  @Test("Objects of services and characteristics stay the same when they are found again")
  func sameObjects() {
    let pair = Pair().ready()
    let service = pair.central.services[0]
    let characteristic = pair.central.characteristic("AA01")
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: service) }
    expect(pair.central.services[0] === service)
    expect(pair.central.characteristic("AA01") === characteristic)
  }

  @Test("Characteristics by type, with their properties")
  func characteristics() {
    let pair = Pair().connected()
    pair.there { pair.central.peripheral.discoverServices(nil) }
    expect(pair.central.services[0].characteristics == nil)
    pair.there {
      pair.central.peripheral.discoverCharacteristics([CBUUID(string: "AA02")], for: pair.central.services[0])
    }
    equal(pair.central.log.last, "characteristics AA00")
    equal(pair.central.services[0].characteristics?.map(\.uuid.uuidString), ["AA02"])
    equal(pair.central.characteristic("AA02").properties, .read)
    expect(pair.central.characteristic("AA02").service === pair.central.services[0])
  }

  @Test("Descriptors are found and read, each with the type of its UUID")
  func descriptors() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.discoverDescriptors(for: characteristic) }
    equal(characteristic.descriptors?.map(\.uuid.uuidString), ["2902", "2901"])
    let description = characteristic.descriptors![1]
    expect(description.characteristic === characteristic)
    pair.there { pair.central.peripheral.readValue(for: description) }
    equal(description.value as? String, "all")
    pair.there { pair.central.peripheral.readValue(for: characteristic.descriptors![0]) }
    equal((characteristic.descriptors![0].value as? NSNumber)?.intValue, 0)
  }

  @Test("Included services are found")
  func included() {
    let pair = Pair().connected()
    let inner = CBMutableService(type: CBUUID(string: "CC01"), primary: false)
    let outer = CBMutableService(type: CBUUID(string: "CC00"), primary: true)
    outer.includedServices = [inner]
    pair.here {
      pair.peripheral.manager.add(inner)
      pair.peripheral.manager.add(outer)
    }
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    pair.there { pair.central.peripheral.discoverIncludedServices(nil, for: pair.central.services[0]) }
    equal(pair.central.log.last, "included")
    equal(pair.central.services[0].includedServices?.map(\.uuid.uuidString), ["CC01"])
    equal(pair.central.services[0].includedServices?[0].isPrimary, false)
  }

  @Test("Services that were taken back are told as modified, and are void")
  func modified() {
    let pair = Pair().ready()
    let service = pair.central.services[0]
    pair.here { pair.peripheral.manager.removeAllServices() }
    equal(pair.central.log.last, "modify")
    equal(pair.central.invalidated, [service])
    expect(pair.central.services.isEmpty)
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: service) }
    equal(pair.centralRemarks(), ["peripheral.stale-attribute"])
  }

  @Test("Two characteristics of one type are told apart")
  func twins() {
    let pair = Pair().connected()
    let service = CBMutableService(type: CBUUID(string: "CC00"), primary: true)
    service.characteristics = ["one", "two"].map {
      CBMutableCharacteristic(
        type: CBUUID(string: "CC01"), properties: .read, value: Data($0.utf8), permissions: .readable)
    }
    pair.here { pair.peripheral.manager.add(service) }
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[0]) }
    pair.there {
      for twin in pair.central.services[0].characteristics! { pair.central.peripheral.readValue(for: twin) }
    }
    equal(pair.central.services[0].characteristics?.map(\.value), [Data("one".utf8), Data("two".utf8)])
  }

  @Test("Commands to a peripheral that is not connected are ignored and remarked")
  func notConnected() {
    let pair = Pair().discovered()
    pair.there {
      pair.central.peripheral.discoverServices(nil)
      pair.central.peripheral.readRSSI()
    }
    equal(pair.centralRemarks(), ["peripheral.not-connected", "peripheral.not-connected"])
    equal(pair.central.log.last, "discover Box")
    expect(!pair.central.peripheral.canSendWriteWithoutResponse)
  }
}
