import AppSeam
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Publishing, advertising and notifying")
struct ServerTests {
  @Test("A service that is added is told, and can be found")
  func add() {
    let pair = Pair().offered()
    equal(pair.peripheral.log, ["state poweredOn", "added AA00", "advertising"])
    expect(pair.peripheral.lastError == nil)
    expect(pair.peripheral.manager.isAdvertising)
  }

  @Test("Advertising that is on already is refused")
  func alreadyAdvertising() {
    let pair = Pair().offered()
    pair.here { pair.peripheral.manager.startAdvertising(nil) }
    equal((pair.peripheral.lastError as? CBError)?.code, .alreadyAdvertising)
    expect(pair.peripheral.manager.isAdvertising)
    equal(pair.peripheralRemarks(), ["advertising.twice"])
  }

  @Test("Advertising that the phone refuses is told with an error")
  func refused() {
    let pair = Pair()
    pair.room.device(pair.far).mayAdvertise = false
    pair.here { pair.peripheral.manager.startAdvertising([CBAdvertisementDataLocalNameKey: "Box"]) }
    equal(pair.peripheral.log.last, "advertising")
    expect(pair.peripheral.lastError != nil)
    expect(!pair.peripheral.manager.isAdvertising)
  }

  @Test("Only name and services can be advertised")
  func keys() {
    let pair = Pair()
    pair.here {
      pair.peripheral.manager.startAdvertising([
        CBAdvertisementDataLocalNameKey: "Box", CBAdvertisementDataManufacturerDataKey: Data([1]),
      ])
    }
    equal(pair.peripheralRemarks(), ["advertising.key"])
    equal(pair.room.device(pair.far).advertised?.localName, "Box")
  }

  @Test("Advertising stops when it is told to")
  func stop() {
    let pair = Pair().offered()
    pair.here { pair.peripheral.manager.stopAdvertising() }
    expect(!pair.peripheral.manager.isAdvertising)
    expect(pair.room.device(pair.far).advertised == nil)
  }

  @Test("Two managers of a phone advertise together")
  func together() {
    let pair = Pair().offered()
    let other = PeripheralApp()
    pair.far.whileCurrent { other.start() }
    pair.room.run()
    other.queue.sync {
      other.manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "BB00")]])
    }
    pair.room.run()
    equal(pair.room.device(pair.far).advertised?.serviceUUIDs.count, 2)
    equal(pair.room.device(pair.far).advertised?.localName, "Box")
    pair.here { pair.peripheral.manager.stopAdvertising() }
    equal(pair.room.device(pair.far).advertised?.serviceUUIDs.count, 1)
  }

  @Test("A subscription is told with its central, and is in subscribedCentrals")
  func subscription() {
    let pair = Pair().subscribed()
    equal(pair.peripheral.log, ["subscribe AA01"])
    equal(pair.peripheral.characteristic("AA01").subscribedCentrals, pair.peripheral.centrals)
    let central = pair.peripheral.centrals[0]
    equal(central.identifier, pair.far.identifier(of: pair.near.settings.address))
    equal(central.maximumUpdateValueLength, 182)
  }

  @Test("The end of a connection ends its subscriptions")
  func unsubscribed() {
    let pair = Pair().subscribed()
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(pair.peripheral.log, ["subscribe AA01", "unsubscribe AA01"])
    equal(pair.peripheral.characteristic("AA01").subscribedCentrals, [])
    equal(pair.peripheral.centrals[0].maximumUpdateValueLength, 20)
  }

  @Test("updateValue is false when the queue is full, sends nothing then, and is told when there is room")
  func backPressure() {
    let pair = Pair().subscribed()
    let characteristic = pair.peripheral.characteristic("AA01")!
    var taken: [Bool] = []
    pair.room.device(pair.far).room = 10
    pair.here {
      for value in 0..<20 {
        taken.append(
          pair.peripheral.manager.updateValue(Data([UInt8(value)]), for: characteristic, onSubscribedCentrals: nil))
      }
    }
    equal(taken, Array(repeating: true, count: 15) + Array(repeating: false, count: 5))
    equal(pair.central.values.count, 10)
    expect(!pair.peripheral.log.contains("ready"))
    pair.room.makeRoom(pair.far, nil)
    equal(pair.peripheral.log.filter { $0 == "ready" }.count, 1)
    equal(pair.central.values.map { Int($0[0]) }, Array(0..<15))
    equal(pair.peripheralRemarks(), ["update.queue-full"])
  }

  @Test("Values go to the centrals that are named, if they have subscribed")
  func selected() {
    let pair = Pair().subscribed()
    let third = pair.room.add()
    let other = CentralApp()
    third.whileCurrent { other.start() }
    pair.room.run()
    other.queue.sync { other.manager.scanForPeripherals(withServices: nil) }
    pair.room.run()
    other.queue.sync { other.manager.connect(other.peripheral) }
    pair.room.run()
    other.queue.sync { other.peripheral.discoverServices(nil) }
    pair.room.run()
    other.queue.sync { other.peripheral.discoverCharacteristics(nil, for: other.services[0]) }
    pair.room.run()
    other.queue.sync { other.peripheral.setNotifyValue(true, for: other.characteristic("AA01")) }
    pair.room.run()
    let characteristic = pair.peripheral.characteristic("AA01")!
    pair.here {
      _ = pair.peripheral.manager.updateValue(
        Data([1]), for: characteristic, onSubscribedCentrals: [pair.peripheral.centrals[1]])
      _ = pair.peripheral.manager.updateValue(Data([2]), for: characteristic, onSubscribedCentrals: nil)
    }
    equal(pair.central.values, [Data([2])])
    equal(other.values, [Data([1]), Data([2])])
    other.queue.sync { other.peripheral.setNotifyValue(false, for: other.characteristic("AA01")) }
    pair.room.run()
    pair.here {
      expect(
        pair.peripheral.manager.updateValue(
          Data([3]), for: characteristic, onSubscribedCentrals: [pair.peripheral.centrals[1]]))
    }
    equal(other.values.count, 2)
    equal(pair.peripheralRemarks(), ["update.foreign-central"])
  }

  @Test("A value that is too long is cut to what the central can take")
  func truncated() {
    let pair = Pair().subscribed()
    pair.here {
      _ = pair.peripheral.manager.updateValue(
        Data(count: 300), for: pair.peripheral.characteristic("AA01"), onSubscribedCentrals: nil)
    }
    equal(pair.central.values.map(\.count), [182])
    equal(pair.peripheralRemarks(), ["update.truncated"])
  }

  @Test("updateValue without subscribers succeeds, and sends nothing")
  func nobody() {
    let pair = Pair().ready()
    pair.here {
      expect(
        pair.peripheral.manager.updateValue(
          Data([1]), for: pair.peripheral.characteristic("AA01"), onSubscribedCentrals: nil))
    }
    expect(pair.central.values.isEmpty)
  }

  @Test("A service that is removed can be added again")
  func removeAndAdd() {
    let pair = Pair().offered()
    let service = pair.peripheral.service!
    pair.here {
      pair.peripheral.manager.remove(service)
      pair.peripheral.manager.add(service)
    }
    equal(pair.peripheral.log.filter { $0 == "added AA00" }.count, 2)
    equal(pair.room.device(pair.far).table.services.count, 1)
  }

  @Test("A latency is asked for as a range of intervals; without a link it is remarked")
  func latency() {
    let pair = Pair().subscribed()
    let central = pair.peripheral.centrals[0]
    for latency in [.low, .medium, .high] as [CBPeripheralManagerConnectionLatency] {
      pair.here { pair.peripheral.manager.setDesiredConnectionLatency(latency, for: central) }
    }
    let ranges = pair.room.device(pair.far).asked.compactMap { effect in
      if case .gap(.requestInterval(_, let shortest, let longest)) = effect { [shortest, longest] } else { nil }
    }
    equal(ranges, [[12, 12], [24, 48], [192, 240]])
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    pair.here { pair.peripheral.manager.setDesiredConnectionLatency(.low, for: central) }
    equal(pair.far.takeRemarks().map(\.name.rawValue), ["update.foreign-central"])
  }
}
