import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

/// A base class as libraries offer one: it conforms, and leaves nearly all to its subclasses.
private class BaseManager: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, CBPeripheralManagerDelegate {
  var log: [String] = []
  func centralManagerDidUpdateState(_ central: CBCentralManager) {}
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { log.append("base connect") }
}

class OpenManager: NSObject, CBPeripheralDelegate {
  var log: [String] = []
}

class ServicesManager: OpenManager {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    log.append("services \(peripheral.state) \(error == nil)")
  }
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    log.append("rssi \(RSSI)")
  }
}

final class LastManager: ServicesManager {
  override func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    log.append("last")
    super.peripheral(peripheral, didDiscoverServices: error)
  }
  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { log.append("ready") }
}

private final class PrivateManager: BaseManager {
  override func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    log.append("connect")
  }
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
    isReconnecting: Bool, error: (any Error)?
  ) {
    log.append("end \(isReconnecting) \(abs(timestamp - Date().timeIntervalSinceReferenceDate) < 60)")
  }
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    log.append("read \(request.offset)")
    request.value = Data([1])
    peripheral.respond(to: request, withResult: .success)
  }
}

/// Meant well.
private final class NearlyManager: BaseManager {
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: NSError?) { log.append("services") }
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsForService service: CBService, error: (any Error)?
  ) {
    log.append("characteristics")
  }
}

@Suite("Optional methods of a delegate's subclass")
struct SubclassMethodTests {
  private func peripheral(_ pair: Pair, _ delegate: any CBPeripheralDelegate) -> CBPeripheral {
    pair.central.peripheral.delegate = delegate
    return pair.central.peripheral
  }

  @Test("What a subclass adds below the class that conforms is called, with its overrides and its superclass")
  func added() {
    let pair = Pair().connected()
    for delegate in [ServicesManager(), LastManager()] {
      let peripheral = peripheral(pair, delegate)
      pair.there { peripheral.discoverServices(nil) }
      pair.there { peripheral.readRSSI() }
      let own = delegate is LastManager ? ["last"] : []
      equal(delegate.log, own + ["services connected true", "rssi -61"])
    }
    equal(pair.centralRemarks(), [])
  }

  @Test("A private class, an override, a method with numbers and flags, and one with a default of its own are called")
  func privateClass() {
    let pair = Pair().discovered()
    let manager = PrivateManager()
    pair.central.manager.delegate = manager
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(manager.log, ["connect", "end false true"])
  }

  /// Has both methods for the end of a connection.
  private final class BothEnds: NSObject, CBCentralManagerDelegate {
    var log: [String] = []
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(
      _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
      log.append("short")
    }
    func centralManager(
      _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
      isReconnecting: Bool, error: (any Error)?
    ) {
      log.append("long")
    }
  }

  @Test("Where a class has both methods for the end of a connection, the older one is called alone")
  func bothEnds() {
    let pair = Pair().connected()
    let delegate = BothEnds()
    pair.central.manager.delegate = delegate
    pair.there { pair.central.manager.cancelPeripheralConnection(pair.central.peripheral) }
    equal(delegate.log, ["short"])
  }

  @Test("A read is answered by the subclass, and is not remarked as unhandled")
  func read() {
    let pair = Pair().ready()
    let manager = PrivateManager()
    pair.peripheral.manager.delegate = manager
    pair.there { pair.central.peripheral.readValue(for: pair.central.characteristic("AA01")) }
    expect(manager.log == ["read 0"] && pair.central.values == [Data([1])])
    equal(pair.peripheralRemarks(), [])
  }

  @Test("A class that adds nothing is told nothing, without a remark")
  func nothing() {
    let pair = Pair().connected()
    let manager = OpenManager()
    let peripheral = peripheral(pair, manager)
    pair.there { peripheral.discoverServices(nil) }
    expect(peripheral.services?.count == 1 && manager.log == [] && pair.centralRemarks() == [])
  }

  @Test("A method that nearly has the form is named with the one that is called, once for each")
  func nearly() {
    let pair = Pair().connected()
    let manager = NearlyManager()
    let peripheral = peripheral(pair, manager)
    pair.there { peripheral.discoverServices(nil) }
    pair.there { peripheral.discoverCharacteristics(nil, for: peripheral.services![0]) }
    equal(manager.log, [])
    let remarks = pair.near.takeRemarks()
    equal(remarks.map(\.name.rawValue), Array(repeating: "manager.nearly-a-delegate-method", count: 2))
    equal(
      remarks.first?.text,
      "NearlyManager has peripheral(_: CBPeripheral, didDiscoverServices: NSError?), which is not called;"
        + " CoreBluetooth calls peripheral(_: CBPeripheral, didDiscoverServices: Error?)")
    equal(remarks.last?.text.contains("didDiscoverCharacteristicsForService: CBService"), true)
  }
}
