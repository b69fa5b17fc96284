import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Values of a peripheral")
struct ValueTests {
  @Test("setNotifyValue with the value that holds is told at once, and nothing goes to the peripheral")
  func unchanged() {
    let pair = Pair().subscribed()
    let asked = { pair.room.device(pair.near).asked.count { if case .gatt(.configure) = $0 { true } else { false } } }
    let before = asked()
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA01")) }
    equal(pair.central.log.suffix(2), ["notify true", "notify true"])
    expect(before == 1 && asked() == 1)
    equal(pair.peripheral.log.count { $0.hasPrefix("subscribe") }, 1)
  }

  @Test("A cached value is read without asking the app")
  func cached() {
    let pair = Pair().ready()
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA02")) }
    equal(pair.central.characteristic("AA02").value, Data("fixed".utf8))
    expect(pair.peripheral.reads.isEmpty)
  }

  @Test("A dynamic value is read from the app, in parts by offset when it is long")
  func dynamic() {
    let pair = Pair().ready()
    pair.peripheral.value = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    equal(pair.central.values, [pair.peripheral.value])
    equal(pair.peripheral.reads.map(\.offset), [0, 184])
    equal(pair.peripheral.reads[0].central.identifier, pair.far.identifier(of: pair.near.settings.address))
  }

  @Test("An error of the app reaches the reader, who keeps the value before")
  func readError() {
    let pair = Pair().ready()
    pair.peripheral.answer = .insufficientAuthorization
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    equal((pair.central.lastError as? CBATTError)?.code, .insufficientAuthorization)
    expect(pair.central.characteristic("AA01").value == nil)
  }

  @Test("A write with response is answered; its value reaches the app")
  func write() {
    let pair = Pair().ready()
    pair.there {
      pair.central.peripheral.writeValue(
        Data([1, 2, 3]), for: pair.central.characteristic("AA01"), type: .withResponse)
    }
    equal(pair.peripheral.writes.first?.first?.value, Data([1, 2, 3]))
    expect(pair.peripheral.writes.first?.first?.characteristic === pair.peripheral.characteristic("AA01"))
    equal(pair.central.log, ["written AA01"])
    expect(pair.central.lastError == nil)
  }

  @Test("An error of the app reaches the writer")
  func writeError() {
    let pair = Pair().ready()
    pair.peripheral.answer = .invalidAttributeValueLength
    pair.there {
      pair.central.peripheral.writeValue(Data([1]), for: pair.central.characteristic("AA01"), type: .withResponse)
    }
    equal((pair.central.lastError as? CBATTError)?.code, .invalidAttributeValueLength)
  }

  @Test("A long write reaches the app as several requests with offsets, answered once")
  func longWrite() {
    let pair = Pair().ready()
    pair.there {
      pair.central.peripheral.writeValue(
        Data(repeating: 7, count: 400), for: pair.central.characteristic("AA01"), type: .withResponse)
    }
    equal(pair.peripheral.writes.first?.map(\.offset), [0, 180, 360])
    equal(pair.central.log, ["written AA01"])
  }

  @Test("A write without response reaches the app, and nobody answers")
  func writeWithoutResponse() {
    let pair = Pair().ready()
    pair.there {
      pair.central.peripheral.writeValue(Data([9]), for: pair.central.characteristic("AA01"), type: .withoutResponse)
    }
    equal(pair.peripheral.log, ["write [1]"])
    expect(pair.central.log.isEmpty)
  }

  @Test("The longest write is ATT_MTU − 3 without response and 512 with it")
  func lengths() {
    let pair = Pair().discovered()
    equal(pair.central.peripheral.maximumWriteValueLength(for: .withoutResponse), 20)
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    equal(pair.central.peripheral.maximumWriteValueLength(for: .withoutResponse), 182)
    equal(pair.central.peripheral.maximumWriteValueLength(for: .withResponse), 512)
  }

  @Test("A full queue drops writes without response until the peripheral is ready")
  func backPressure() {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.room.device(pair.near).room = 2
    pair.there {
      for value in 0..<4 {
        pair.central.peripheral.writeValue(Data([UInt8(value)]), for: characteristic, type: .withoutResponse)
      }
    }
    // Four were taken; the stack refused the last two, which wait.
    equal(pair.peripheral.writes.count, 2)
    expect(!pair.central.peripheral.canSendWriteWithoutResponse)
    pair.there { pair.central.peripheral.writeValue(Data([4]), for: characteristic, type: .withoutResponse) }
    equal(pair.centralRemarks(), ["peripheral.queue-full"])
    pair.room.makeRoom(pair.near, nil)
    equal(pair.central.log, ["ready"])
    equal(pair.peripheral.writes.flatMap { $0 }.map { $0.value?.first }, [0, 1, 2, 3])
    expect(pair.central.peripheral.canSendWriteWithoutResponse)
  }

  @Test("Notifications are switched on, come, and are switched off")
  func notifications() {
    let pair = Pair().subscribed()
    equal(pair.central.log.last, "notify true")
    pair.here {
      expect(
        pair.peripheral.manager.updateValue(
          Data([5]), for: pair.peripheral.characteristic("AA01"), onSubscribedCentrals: nil))
    }
    equal(pair.central.values, [Data([5])])
    equal(pair.central.characteristic("AA01").value, Data([5]))
    pair.there { pair.central.peripheral.setNotifyValue(false, for: pair.central.characteristic("AA01")) }
    equal(pair.central.log.last, "notify false")
    equal(pair.peripheral.log.last, "unsubscribe AA01")
  }

  @Test("Indications are switched on by the same method")
  func indications() {
    let pair = Pair().ready()
    pair.there { pair.central.peripheral.setNotifyValue(true, for: pair.central.characteristic("AA03")) }
    expect(pair.central.characteristic("AA03").isNotifying)
    pair.here {
      _ = pair.peripheral.manager.updateValue(
        Data([6]), for: pair.peripheral.characteristic("AA03"), onSubscribedCentrals: nil)
    }
    equal(pair.central.values, [Data([6])])
  }

  @Test("The signal strength of a link is read")
  func signal() {
    let pair = Pair().ready()
    pair.there { pair.central.peripheral.readRSSI() }
    equal(pair.central.log, ["rssi -61"])
  }

  @Test("A read that a disconnection overtakes is not answered")
  func overtaken() {
    let pair = Pair().ready()
    pair.peripheral.answer = nil
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    let near = pair.room.device(pair.near)
    pair.room.end(near.links[0].id, of: near, here: .connectionTimeout)
    pair.room.run()
    equal(pair.central.log, ["disconnect disconnected"])
    equal(pair.peripheralRemarks(), ["request.unanswered"])
  }
}
