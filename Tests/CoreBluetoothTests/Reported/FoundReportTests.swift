import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Discovery, as others report it")
struct FoundReportTests {
  private func made(_ uuid: String) -> CBMutableCharacteristic {
    CBMutableCharacteristic(type: CBUUID(string: uuid), properties: .read, value: Data([1]), permissions: .readable)
  }

  @Test("An empty list of services finds all, as nil does")
  func emptyServices() {
    let pair = Pair().connected()
    _ = pair.publish("CC00")
    pair.there { pair.central.peripheral.discoverServices([]) }
    equal(pair.central.services.map(\.uuid.uuidString), ["AA00", "CC00"])
  }

  @Test("An empty list of characteristics finds all, as nil does")
  func emptyCharacteristics() {
    let pair = Pair().connected()
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.peripheral.discoverCharacteristics([], for: pair.central.services[0]) }
    equal(pair.central.services[0].characteristics?.count, 4)
  }

  @Test("An empty list of included services finds all, as nil does")
  func emptyIncluded() {
    let pair = Pair().connected()
    let inner = CBMutableService(type: CBUUID(string: "CC01"), primary: false)
    pair.here { pair.peripheral.manager.add(inner) }
    _ = pair.publish("CC00", with: [inner])
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    pair.there { pair.central.peripheral.discoverIncludedServices([], for: pair.central.services[0]) }
    equal(pair.central.services[0].includedServices?.map(\.uuid.uuidString), ["CC01"])
  }

  @Test("Services of an earlier discovery stay when others are found")
  func servicesStay() {
    let pair = Pair().connected()
    _ = pair.publish("CC00")
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "AA00")]) }
    let first = pair.central.services[0]
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    expect(pair.central.services.count == 2 && pair.central.services[0] === first)
  }

  @Test("Characteristics of an earlier discovery stay when others are found")
  func characteristicsStay() {
    let pair = Pair().connected()
    pair.there { pair.central.peripheral.discoverServices(nil) }
    for uuid in ["AA02", "AA01"] {
      pair.there {
        pair.central.peripheral.discoverCharacteristics([CBUUID(string: uuid)], for: pair.central.services[0])
      }
    }
    equal(pair.central.services[0].characteristics?.map(\.uuid.uuidString), ["AA01", "AA02"])
  }

  @Test("What is discovered twice is there once")
  func noDoubles() {
    let pair = Pair().ready()
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[0]) }
    expect(pair.central.services.count == 1 && pair.central.services[0].characteristics?.count == 4)
    equal(pair.central.log, ["services", "characteristics AA00"])
  }

  @Test("A service without characteristics is answered, with an empty list and no error")
  func noCharacteristics() {
    let pair = Pair().connected()
    _ = pair.publish("CC00")
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    expect(pair.central.services[0].characteristics == nil)
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[0]) }
    equal(pair.central.services[0].characteristics, [])
    expect(pair.central.log.last == "characteristics CC00" && pair.central.lastError == nil)
  }

  @Test("A type that no characteristic has is answered, with an empty list and no error")
  func missingCharacteristic() {
    let pair = Pair().connected()
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there {
      pair.central.peripheral.discoverCharacteristics([CBUUID(string: "BB01")], for: pair.central.services[0])
    }
    expect(pair.central.services[0].characteristics == [] && pair.central.lastError == nil)
  }

  @Test("A peripheral without services is answered, with an empty list and no error")
  func noServices() {
    let pair = Pair().connected()
    pair.here { pair.peripheral.manager.removeAllServices() }
    pair.there { pair.central.peripheral.discoverServices(nil) }
    equal(pair.central.peripheral.services, [])
    expect(pair.central.log.last == "services" && pair.central.lastError == nil)
  }

  @Test("Descriptors are nil before they are looked for, and an empty list where there are none")
  func noDescriptors() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA02")!
    expect(characteristic.descriptors == nil)
    pair.there { pair.central.peripheral.discoverDescriptors(for: characteristic) }
    expect(characteristic.descriptors == [] && pair.central.log.last == "descriptors")
  }

  @Test("Included services are nil before they are looked for, and an empty list where there are none")
  func noIncluded() {
    let pair = Pair().ready()
    expect(pair.central.services[0].includedServices == nil)
    pair.there { pair.central.peripheral.discoverIncludedServices(nil, for: pair.central.services[0]) }
    equal(pair.central.services[0].includedServices, [])
  }

  @Test("Discoveries that are asked for at once are answered one by one, in order")
  func atOnce() {
    let pair = Pair().connected()
    _ = pair.publish("CC00", [made("CC01")])
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.central.log = []
    pair.there {
      for service in pair.central.services.reversed() {
        pair.central.peripheral.discoverCharacteristics(nil, for: service)
      }
    }
    equal(pair.central.log, ["characteristics CC00", "characteristics AA00"])
  }

  @Test("Two services of one type are objects of their own, with their own characteristics")
  func twinServices() {
    let pair = Pair().connected()
    for value in [75, 100] as [UInt8] {
      let level = CBMutableCharacteristic(
        type: CBUUID(string: "CC01"), properties: .read, value: Data([value]), permissions: .readable)
      _ = pair.publish("CC00", [level])
    }
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    equal(pair.central.services.count, 2)
    pair.there {
      for service in pair.central.services { pair.central.peripheral.discoverCharacteristics(nil, for: service) }
    }
    let levels = pair.central.services.compactMap { $0.characteristics?.first }
    pair.there { for level in levels { pair.central.peripheral.readValue(for: level) } }
    equal(levels.map(\.value), [Data([75]), Data([100])])
    expect(levels[0].service === pair.central.services[0] && levels[1].service === pair.central.services[1])
  }

  @Test("A change of services invalidates those that have gone; others stay usable")
  func othersStay() {
    let pair = Pair().connected()
    let gone = pair.publish("CC00", [made("CC01")])
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[0]) }
    pair.here { pair.peripheral.manager.remove(gone) }
    equal(pair.central.log.last, "modify")
    equal(pair.central.invalidated.map(\.uuid.uuidString), ["CC00"])
    equal(pair.central.services.map(\.uuid.uuidString), ["AA00"])
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA02")) }
    equal(pair.central.values, [Data("fixed".utf8)])
  }

  @Test("A service that comes back after a change is found by a new discovery, as a new object")
  func foundAgain() {
    let pair = Pair().ready()
    let old = pair.central.services[0]
    pair.here {
      pair.peripheral.manager.remove(pair.peripheral.service)
      pair.peripheral.manager.add(pair.peripheral.service)
    }
    expect(pair.central.services.isEmpty)
    pair.there { pair.central.peripheral.discoverServices(nil) }
    expect(pair.central.services.count == 1 && pair.central.services[0] !== old)
  }

  @Test("A peripheral manager that is gone takes its services with it, and the central is told")
  func serverGone() {
    let pair = Pair().ready()
    pair.peripheral.manager = nil
    pair.room.run()
    expect(pair.central.log.last == "modify" && pair.central.services.isEmpty)
  }

  @Test("A descriptor has no value before it is read")
  func unreadDescriptor() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.discoverDescriptors(for: characteristic) }
    equal(characteristic.descriptors?.map { $0.value == nil }, [true, true])
  }

  @Test("The two configurations and the extended properties are numbers", arguments: ["2900", "2902", "2903"])
  func numbers(uuid: String) {
    let value = CBDescriptor.value(of: CBUUID(string: uuid), octets: [2, 1])
    equal((value as? NSNumber)?.intValue, 0x0102)
  }

  @Test("A user description is text, also in letters of several octets")
  func text() {
    let text = "Größe 長さ 🌡"
    equal(CBDescriptor.value(of: CBUUID(string: "2901"), octets: Array(text.utf8)) as? String, text)
  }

  @Test("Formats are octets", arguments: ["2904", "2905"])
  func octets(uuid: String) {
    let octets: [UInt8] = [4, 0, 0xAD, 0x27, 1, 0, 0]
    equal(CBDescriptor.value(of: CBUUID(string: uuid), octets: octets) as? Data, Data(octets))
  }

  @Test("A descriptor of a type of somebody's own is octets")
  func ownDescriptor() {
    let uuid = CBUUID(string: "12345678-9ABC-DEF0-1234-56789ABCDEF0")
    equal(CBDescriptor.value(of: uuid, octets: [1, 2, 3]) as? Data, Data([1, 2, 3]))
  }

  @Test("A service that was published under the long form of a short type is found under the short one")
  func shortForm() {
    let pair = Pair().connected()
    _ = pair.publish("0000CC00-0000-1000-8000-00805F9B34FB")
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    equal(pair.central.services.map(\.uuid.uuidString), ["CC00"])
  }

  @Test("The objects know what they belong to, up to the peripheral")
  func upwards() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.discoverDescriptors(for: characteristic) }
    let descriptor = characteristic.descriptors![0]
    expect(descriptor.characteristic?.service?.peripheral === pair.central.peripheral)
  }
}
