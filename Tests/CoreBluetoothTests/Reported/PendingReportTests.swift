import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Calls that wait, as others report it")
struct PendingReportTests {
  /// A call of the central, and the end of the link before its answer.
  private func overtaken(_ body: (Pair, CBPeripheral) -> Void) -> Pair {
    let pair = Pair().ready()
    pair.central.queue.sync { pair.near.whileCurrent { body(pair, pair.central.peripheral) } }
    pair.lose(.remoteUserTerminatedConnection)
    return pair
  }

  @Test("Discovery that a disconnection overtakes is not answered")
  func discovery() {
    equal(overtaken { $1.discoverServices(nil) }.central.log, ["disconnect disconnected"])
  }

  @Test("A write with response that a disconnection overtakes is not answered")
  func write() {
    let pair = overtaken { $1.writeValue(Data([1]), for: $0.central.characteristic("AA01"), type: .withResponse) }
    equal(pair.central.log, ["disconnect disconnected"])
    equal((pair.central.lastError as? CBError)?.code, .peripheralDisconnected)
  }

  @Test("setNotifyValue that a disconnection overtakes is not answered, and the characteristic does not notify")
  func subscription() {
    var characteristic: CBCharacteristic?
    let pair = overtaken {
      characteristic = $0.central.characteristic("AA01")
      $1.setNotifyValue(true, for: characteristic!)
    }
    expect(pair.central.log == ["disconnect disconnected"] && characteristic?.isNotifying == false)
  }

  @Test("readRSSI that a disconnection overtakes is not answered")
  func signal() {
    equal(overtaken { $1.readRSSI() }.central.log, ["disconnect disconnected"])
  }

  @Test("A channel that is asked for, and overtaken by a disconnection, is not told")
  func channel() {
    equal(overtaken { $1.openL2CAPChannel(128) }.central.log, ["disconnect disconnected"])
  }

  @Test("An answer of the old link is no answer to the same call on the new one")
  func notCarriedOver() {
    let pair = Pair().ready()
    pair.peripheral.answer = nil
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    pair.lose()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.central.log = []
    pair.here { pair.peripheral.manager.respond(to: pair.peripheral.reads[0], withResult: .success) }
    expect(pair.central.log.isEmpty && pair.central.values.isEmpty)
  }

  private typealias Command = @Sendable (CBPeripheral, CBCharacteristic) -> Void

  private static let commands: [Command] = [
    { peripheral, _ in peripheral.discoverServices(nil) },
    { $0.discoverCharacteristics(nil, for: $1.service!) },
    { $0.discoverIncludedServices(nil, for: $1.service!) },
    { $0.discoverDescriptors(for: $1) },
    { $0.readValue(for: $1) },
    { $0.writeValue(Data([1]), for: $1, type: .withResponse) },
    { $0.writeValue(Data([1]), for: $1, type: .withoutResponse) },
    { $0.setNotifyValue(true, for: $1) },
    { peripheral, _ in peripheral.readRSSI() },
    { peripheral, _ in peripheral.openL2CAPChannel(128) },
  ]

  @Test("Every command to a peripheral that is being disconnected is misuse", arguments: commands.indices)
  func whileDisconnecting(index: Int) {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    pair.there {
      pair.central.manager.cancelPeripheralConnection(pair.central.peripheral)
      equal(pair.central.peripheral.state, .disconnecting)
      Self.commands[index](pair.central.peripheral, characteristic)
    }
    equal(pair.centralRemarks(), ["peripheral.not-connected"])
    expect(pair.central.log == ["disconnect disconnected"] && pair.peripheral.log.isEmpty)
  }

  @Test("Every command to a peripheral that is not connected yet is misuse", arguments: commands.indices)
  func whileConnecting(index: Int) {
    let pair = Pair().ready()
    let characteristic = pair.central.characteristic("AA01")!
    let service = characteristic.service
    pair.lose()
    pair.hide()
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.central.log = []
    pair.there {
      equal(pair.central.peripheral.state, .connecting)
      Self.commands[index](pair.central.peripheral, characteristic)
    }
    equal(pair.centralRemarks(), ["peripheral.not-connected"])
    expect(pair.central.log.isEmpty)
    withExtendedLifetime(service) {}
  }

  @Test("Commands of several kinds may be given at once: each is answered, in order")
  func atOnce() {
    let pair = Pair().ready()
    pair.peripheral.value = Data([5])
    let characteristic = pair.central.characteristic("AA01")!
    pair.there {
      pair.central.peripheral.readValue(for: characteristic)
      pair.central.peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
      pair.central.peripheral.readValue(for: pair.central.characteristic("AA02"))
      pair.central.peripheral.setNotifyValue(true, for: characteristic)
    }
    equal(Set(pair.central.log), ["value AA01", "written AA01", "value AA02", "notify true"])
    equal(pair.central.log.count, 4)
  }

  @Test("Several writes to one characteristic are answered one by one, and come in order")
  func writes() {
    let pair = Pair().ready()
    pair.there {
      for value in 0..<3 as Range<UInt8> {
        pair.central.peripheral.writeValue(
          Data([value]), for: pair.central.characteristic("AA01"), type: .withResponse)
      }
    }
    equal(pair.central.log, ["written AA01", "written AA01", "written AA01"])
    equal(pair.peripheral.writes.compactMap { $0[0].value?.first }, [0, 1, 2])
  }

  @Test("An error of one of several writes is told for that one alone")
  func oneError() {
    let pair = Pair().ready()
    pair.peripheral.answer = nil
    let characteristic = pair.central.characteristic("AA01")!
    pair.there {
      for value in 0..<2 as Range<UInt8> {
        pair.central.peripheral.writeValue(Data([value]), for: characteristic, type: .withResponse)
      }
    }
    expect(pair.central.log.isEmpty)
    pair.here { pair.peripheral.manager.respond(to: pair.peripheral.writes[0][0], withResult: .unlikelyError) }
    equal(pair.central.log, ["written AA01"])
    equal((pair.central.lastError as? CBATTError)?.code, .unlikelyError)
    pair.here { pair.peripheral.manager.respond(to: pair.peripheral.writes[1][0], withResult: .success) }
    expect(pair.central.log == ["written AA01", "written AA01"] && pair.central.lastError == nil)
  }

  @Test("Several reads of one characteristic are answered one by one")
  func reads() {
    let pair = Pair().ready()
    pair.there {
      for _ in 0..<3 { pair.central.peripheral.readValue(for: pair.central.characteristic("AA02")) }
    }
    equal(pair.central.log, ["value AA02", "value AA02", "value AA02"])
  }
}
