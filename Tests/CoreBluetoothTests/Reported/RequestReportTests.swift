import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Requests and subscribers, as others report it")
struct RequestReportTests {
  @Test("A central that connects, discovers and leaves is not told to the peripheral's app")
  func silentCentral() {
    let pair = Pair().discovered()
    pair.peripheral.log = []
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    expect(pair.peripheral.log.isEmpty)
  }

  @Test("A central is one and the same in subscriptions, reads and writes")
  func oneCentral() {
    let pair = Pair().subscribed()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.readValue(for: characteristic) }
    pair.there { pair.central.peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse) }
    let subscriber = pair.peripheral.centrals[0]
    expect(pair.peripheral.reads[0].central == subscriber && pair.peripheral.writes[0][0].central == subscriber)
    equal(pair.peripheral.reads[0].central.identifier, subscriber.identifier)
  }

  @Test("A read has no value before the app sets it, and the offset from which it is to be set")
  func readRequest() {
    let pair = Pair().ready()
    pair.peripheral.answer = nil
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    let request = pair.peripheral.reads[0]
    expect(request.value == nil && request.offset == 0)
    expect(request.characteristic === pair.peripheral.characteristic("AA01"))
  }

  @Test("A successful answer to a read without a value is a value of no octets")
  func readWithoutValue() {
    let pair = Pair().ready()
    pair.peripheral.answer = nil
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    pair.here { pair.peripheral.manager.respond(to: pair.peripheral.reads[0], withResult: .success) }
    expect(pair.central.values == [Data()] && pair.central.lastError == nil)
  }

  @Test("An app that responds to each part of a long write does no harm: the central has one answer")
  func eachPart() {
    let pair = Pair().ready()
    pair.peripheral.answer = nil
    pair.there {
      pair.central.peripheral.writeValue(
        Data(count: 400), for: pair.central.characteristic("AA01"), type: .withResponse)
    }
    pair.here {
      for part in pair.peripheral.writes[0] { pair.peripheral.manager.respond(to: part, withResult: .success) }
    }
    expect(pair.peripheral.writes[0].count == 3 && pair.central.log == ["written AA01"])
  }

  @Test("Writes without response need no answer: all of them come")
  func unansweredCommands() {
    let pair = Pair().ready()
    pair.peripheral.answer = nil
    pair.there {
      for value in 0..<3 as Range<UInt8> {
        pair.central.peripheral.writeValue(
          Data([value]), for: pair.central.characteristic("AA01"), type: .withoutResponse)
      }
    }
    equal(pair.peripheral.writes.compactMap { $0[0].value?.first }, [0, 1, 2])
    equal(pair.peripheralRemarks(), [])
  }

  @Test(
    "An answer to a write without response, good or bad, does no harm and reaches nobody", arguments: [true, false])
  func answeredCommand(isGood: Bool) {
    let pair = Pair().ready()
    pair.peripheral.answer = isGood ? .success : .unlikelyError
    pair.there {
      pair.central.peripheral.writeValue(Data([1]), for: pair.central.characteristic("AA01"), type: .withoutResponse)
    }
    expect(pair.peripheral.log == ["write [1]"] && pair.central.log.isEmpty && pair.peripheralRemarks() == [])
  }

  @Test("A request that waits does not keep others from the app")
  func othersPass() {
    let pair = Pair().ready()
    let other = pair.third()
    pair.peripheral.answer = nil
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    pair.run(other) { other.peripheral.readValue(for: other.characteristic("AA01")) }
    equal(pair.peripheral.reads.count, 2)
    pair.here {
      pair.peripheral.reads[1].value = Data([2])
      pair.peripheral.manager.respond(to: pair.peripheral.reads[1], withResult: .success)
    }
    expect(other.values == [Data([2])] && pair.central.values.isEmpty)
  }

  @Test("A value that was refused is sent once the manager is ready, after those that were taken")
  func sentAgain() {
    let pair = Pair().subscribed()
    let characteristic = pair.peripheral.characteristic("AA01")!
    let manager = pair.peripheral.manager!
    pair.room.device(pair.far).room = 0
    var next = 0
    let send = {
      while next < 40, manager.updateValue(Data([UInt8(next)]), for: characteristic, onSubscribedCentrals: nil) {
        next += 1
      }
    }
    pair.peripheral.onReady = send
    pair.here(send)
    expect(next < 40 && pair.central.values.isEmpty)
    pair.room.makeRoom(pair.far, nil)
    expect(next == 40 && pair.central.values.map { Int($0[0]) } == Array(0..<40))
  }

  @Test("A value without named centrals goes to all subscribers, and to them alone")
  func allSubscribers() {
    let pair = Pair().subscribed()
    let (other, listener) = (pair.third(), pair.third())
    pair.run(other) { other.peripheral.setNotifyValue(true, for: other.characteristic("AA01")) }
    let characteristic = pair.peripheral.characteristic("AA01")!
    equal(characteristic.subscribedCentrals?.count, 2)
    pair.here { _ = pair.peripheral.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil) }
    expect(pair.central.values == [Data([1])] && other.values == [Data([1])] && listener.values.isEmpty)
  }

  @Test("When one of two subscribers ends its subscription the other goes on")
  func oneLeaves() {
    let pair = Pair().subscribed()
    let other = pair.third()
    pair.run(other) { other.peripheral.setNotifyValue(true, for: other.characteristic("AA01")) }
    pair.there { pair.central.peripheral.setNotifyValue(false, for: pair.central.characteristic("AA01")) }
    let characteristic = pair.peripheral.characteristic("AA01")!
    equal(characteristic.subscribedCentrals, [pair.peripheral.centrals[1]])
    pair.here { _ = pair.peripheral.manager.updateValue(Data([1]), for: characteristic, onSubscribedCentrals: nil) }
    expect(pair.central.values.isEmpty && other.values == [Data([1])])
  }

  @Test("Each subscription of a central is told by itself, and so is the end of each")
  func eachSubscription() {
    let pair = Pair().subscribed()
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA03")) }
    equal(pair.peripheral.log, ["subscribe AA01", "subscribe AA03"])
    pair.lose()
    equal(pair.peripheral.log.suffix(2), ["unsubscribe AA01", "unsubscribe AA03"])
  }

  @Test("Before anybody subscribes the list of subscribers is empty")
  func nobody() {
    let pair = Pair().ready()
    equal(pair.peripheral.characteristic("AA01").subscribedCentrals, [])
  }

  @Test("A central that comes back has the identifier that it had")
  func comesBack() {
    let pair = Pair().subscribed()
    pair.lose()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.peripheral.discoverServices(nil) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[0]) }
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA01")) }
    equal(pair.peripheral.centrals.count, 2)
    equal(pair.peripheral.centrals[0].identifier, pair.peripheral.centrals[1].identifier)
  }

  @Test("Two centrals have two identifiers")
  func twoCentrals() {
    let pair = Pair().subscribed()
    let other = pair.third()
    pair.run(other) { other.peripheral.setNotifyValue(true, for: other.characteristic("AA01")) }
    expect(pair.peripheral.centrals[0] != pair.peripheral.centrals[1])
    expect(pair.peripheral.centrals[0].identifier != pair.peripheral.centrals[1].identifier)
  }

  @Test("Of two managers on one phone each is asked for its own services")
  func ownServices() {
    let pair = Pair().ready()
    let other = PeripheralApp()
    pair.far.whileCurrent { other.start() }
    pair.room.run()
    let service = CBMutableService(type: CBUUID(string: "CC00"), primary: true)
    service.characteristics = [
      CBMutableCharacteristic(type: CBUUID(string: "CC01"), properties: .read, value: nil, permissions: .readable)
    ]
    other.value = Data([2])
    other.queue.sync { other.manager.add(service) }
    pair.room.run()
    pair.there { pair.central.peripheral.discoverServices([CBUUID(string: "CC00")]) }
    pair.there { pair.central.peripheral.discoverCharacteristics(nil, for: pair.central.services[1]) }
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("CC01")) }
    expect(pair.central.values == [Data([2])] && other.reads.count == 1 && pair.peripheral.reads.isEmpty)
  }
}
