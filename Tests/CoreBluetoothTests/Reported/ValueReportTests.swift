import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Values, as others report it")
struct ValueReportTests {
  private func update(_ pair: Pair, _ octets: [UInt8], _ uuid: String = "AA01") {
    pair.here {
      expect(
        pair.peripheral.manager.updateValue(
          Data(octets), for: pair.peripheral.characteristic(uuid), onSubscribedCentrals: nil))
    }
  }

  @Test("A characteristic has no value before it is read")
  func unread() {
    let pair = Pair().ready()
    equal(pair.central.services[0].characteristics?.map { $0.value == nil }, [true, true, true, true])
  }

  @Test("A write changes no value at the writer, and is no update")
  func writeIsNoUpdate() {
    let pair = Pair().ready()
    pair.peripheral.value = Data([0])
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.readValue(for: characteristic) }
    pair.central.log = []
    pair.there { pair.central.peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse) }
    expect(pair.central.log == ["written AA01"] && characteristic.value == Data([0]))
  }

  @Test("A subscription by itself brings no value")
  func subscriptionIsNoUpdate() {
    let pair = Pair().ready()
    pair.peripheral.value = Data([7])
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA01")) }
    expect(pair.central.log == ["notify true"] && pair.central.values.isEmpty && pair.peripheral.reads.isEmpty)
  }

  @Test("A read of a characteristic that notifies comes by the same method as its notifications")
  func readWhileNotifying() {
    let pair = Pair().subscribed()
    pair.central.log = []
    pair.peripheral.value = Data([1])
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    update(pair, [2])
    expect(pair.central.log == ["value AA01", "value AA01"] && pair.central.values == [Data([1]), Data([2])])
  }

  @Test("Notifications come in order, and each callback sees its own value")
  func inOrder() {
    let pair = Pair().subscribed()
    let characteristic = pair.peripheral.characteristic("AA01")!
    pair.here {
      for value in [0x10, 0x11, 0x12, 0x12] as [UInt8] {
        _ = pair.peripheral.manager.updateValue(Data([value]), for: characteristic, onSubscribedCentrals: nil)
      }
    }
    equal(pair.central.values, [Data([0x10]), Data([0x11]), Data([0x12]), Data([0x12])])
  }

  @Test("Notifications of two characteristics keep apart")
  func apart() {
    let pair = Pair().subscribed()
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA03")) }
    pair.central.log = []
    update(pair, [1])
    update(pair, [2], "AA03")
    equal(pair.central.log, ["value AA01", "value AA03"])
    equal(pair.central.characteristic("AA01").value, Data([1]))
    equal(pair.central.characteristic("AA03").value, Data([2]))
  }

  @Test("After the end of a subscription no value comes")
  func unsubscribed() {
    let pair = Pair().subscribed()
    pair.there { pair.central.peripheral.setNotifyValue(false, for: pair.central.characteristic("AA01")) }
    update(pair, [1])
    expect(pair.central.values.isEmpty && pair.central.characteristic("AA01").value == nil)
  }

  @Test("A notification that overtakes the answer to setNotifyValue is told while isNotifying is still false")
  func early() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    let found = characteristic.found!
    pair.room.give(pair.near, .gatt(.notified(pair.link, found.value, type: found.uuid, octets: [9])))
    expect(pair.central.values == [Data([9])] && !characteristic.isNotifying)
  }

  @Test("setNotifyValue that the peripheral refuses is told with its code", arguments: [3, 5, 10, 15, 0x80])
  func refused(code: UInt8) {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.central.queue.sync {
      pair.near.whileCurrent { pair.central.peripheral.setNotifyValue(true, for: characteristic) }
    }
    pair.configured(code)
    expect(pair.central.log == ["notify false"] && !characteristic.isNotifying)
    let error = pair.central.lastError as NSError?
    expect(error?.domain == CBATTErrorDomain && error?.code == Int(code))
  }

  @Test("Each code of respond reaches the reader, with the number that ATT has for it", arguments: 1...17)
  func codes(code: Int) {
    let pair = Pair().ready()
    pair.peripheral.answer = CBATTError.Code(rawValue: code)
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    equal(pair.central.log, ["value AA01"])
    equal((pair.central.lastError as NSError?)?.code, code)
  }

  @Test("The longest write with response is 512 octets whatever the ATT_MTU is")
  func longestWrite() {
    let pair = Pair()
    pair.room.attMTU = 23
    pair.connected()
    equal(pair.central.peripheral.maximumWriteValueLength(for: .withResponse), 512)
    equal(pair.central.peripheral.maximumWriteValueLength(for: .withoutResponse), 20)
  }

  @Test("A write without response of ATT_MTU − 3 octets is sent whole")
  func longestCommand() {
    let pair = Pair().ready()
    let octets = Data(repeating: 3, count: 182)
    pair.there {
      pair.central.peripheral.writeValue(octets, for: pair.central.characteristic("AA01"), type: .withoutResponse)
    }
    expect(pair.peripheral.writes.map { $0[0].value } == [octets] && pair.centralRemarks() == [])
  }

  @Test("A write of 512 octets comes whole")
  func longest() {
    let pair = Pair().ready()
    let octets = Data((0..<512).map { UInt8(truncatingIfNeeded: $0) })
    pair.there {
      pair.central.peripheral.writeValue(octets, for: pair.central.characteristic("AA01"), type: .withResponse)
    }
    equal(pair.peripheral.writes[0].reduce(Data()) { $0 + $1.value! }, octets)
    expect(pair.central.log == ["written AA01"] && pair.central.lastError == nil)
  }

  @Test("A long write that the peripheral does not support is told with code 6")
  func longRefused() {
    let pair = Pair().ready()
    pair.peripheral.answer = .requestNotSupported
    pair.there {
      pair.central.peripheral.writeValue(
        Data(count: 300), for: pair.central.characteristic("AA01"), type: .withResponse)
    }
    expect(pair.central.log == ["written AA01"] && (pair.central.lastError as NSError?)?.code == 6)
  }

  @Test("A write of no octets is a write")
  func emptyWrite() {
    let pair = Pair().ready()
    pair.there {
      for type in [.withResponse, .withoutResponse] as [CBCharacteristicWriteType] {
        pair.central.peripheral.writeValue(Data(), for: pair.central.characteristic("AA01"), type: type)
      }
    }
    expect(pair.peripheral.log == ["write [0]", "write [0]"] && pair.central.log == ["written AA01"])
  }

  @Test("A notification of no octets is a value")
  func emptyNotification() {
    let pair = Pair().subscribed()
    update(pair, [])
    expect(pair.central.values == [Data()] && pair.central.characteristic("AA01").value == Data())
  }

  @Test("A value that fills its responses exactly is asked for once more, at its end, and is whole")
  func exactParts() {
    let pair = Pair().ready()
    pair.peripheral.value = Data((0..<368).map { UInt8(truncatingIfNeeded: $0) })
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    equal(pair.peripheral.reads.map(\.offset), [0, 184, 368])
    equal(pair.peripheral.reads.last?.value, Data())
    equal(pair.central.values, [pair.peripheral.value])
  }

  @Test("A value of 512 octets is read whole")
  func longestRead() {
    let pair = Pair().ready()
    pair.peripheral.value = Data((0..<512).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    equal(pair.central.values, [pair.peripheral.value])
  }

  @Test("An error in a later part of a long read is told, and the value before stays")
  func brokenRead() {
    let pair = Pair().ready()
    pair.peripheral.value = Data([1])
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.readValue(for: characteristic) }
    pair.peripheral.answer = nil
    pair.there { pair.central.peripheral.readValue(for: characteristic) }
    pair.here {
      pair.peripheral.reads[1].value = Data(count: 300)
      pair.peripheral.manager.respond(to: pair.peripheral.reads[1], withResult: .success)
    }
    pair.here { pair.peripheral.manager.respond(to: pair.peripheral.reads[2], withResult: .unlikelyError) }
    equal((pair.central.lastError as? CBATTError)?.code, .unlikelyError)
    expect(characteristic.value == Data([1]) && pair.central.values == [Data([1])])
  }

  @Test("Who asks whether there is room, and is told no, is told when there is")
  func askedForRoom() {
    let pair = Pair().ready()
    pair.room.device(pair.near).room = 0
    let characteristic = pair.central.characteristic("AA01")!
    pair.there { pair.central.peripheral.writeValue(Data([1]), for: characteristic, type: .withoutResponse) }
    expect(!pair.central.peripheral.canSendWriteWithoutResponse && pair.central.log.isEmpty)
    pair.room.makeRoom(pair.near, nil)
    expect(pair.central.log == ["ready"] && pair.central.peripheral.canSendWriteWithoutResponse)
    expect(pair.peripheral.writes.count == 1 && pair.centralRemarks() == [])
  }
}
