import AppSeam
import BluetoothWire
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

@Suite("Scanning, as others report it")
struct ScanReportTests {
  @Test("An empty list of services is no filter")
  func emptyFilter() {
    let pair = Pair().offered()
    pair.there { pair.central.manager.scanForPeripherals(withServices: []) }
    pair.hear(name: "Other")
    equal(pair.central.log.suffix(2), ["discover Box", "discover Other"])
  }

  @Test("One service in common is enough")
  func oneInCommon() {
    let pair = Pair().offered()
    let wanted = ["BB00", "AA00", "CC00"].map { CBUUID(string: $0) }
    pair.there { pair.central.manager.scanForPeripherals(withServices: wanted) }
    equal(pair.central.found.count, 1)
  }

  @Test("A filter by the long form of a short type finds the short one")
  func longForm() {
    let pair = Pair().offered()
    let long = CBUUID(string: "0000AA00-0000-1000-8000-00805F9B34FB")
    pair.there { pair.central.manager.scanForPeripherals(withServices: [long]) }
    equal(pair.central.found.count, 1)
  }

  @Test("After stopScan the next scan reports what the last one has reported")
  func again() {
    let pair = Pair().discovered()
    pair.there { pair.central.manager.stopScan() }
    pair.there { pair.central.manager.scanForPeripherals(withServices: [CBUUID(string: "AA00")]) }
    expect(pair.central.advertisements.count == 2 && pair.centralRemarks() == [])
  }

  @Test("stopScan in didDiscover ends the scan: what was heard after it is not reported")
  func stopInCallback() {
    let pair = Pair()
    pair.central.onDiscover = { _ in pair.central.manager.stopScan() }
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    for bits in 1...3 as ClosedRange<UInt64> { pair.hear(0xC000_0000_0000 + bits) }
    expect(pair.central.found.count == 1 && !pair.central.manager.isScanning)
  }

  @Test("stopScan without a scan does nothing")
  func stopIdle() {
    let pair = Pair()
    pair.there { pair.central.manager.stopScan() }
    expect(pair.central.log == ["state poweredOn"] && pair.centralRemarks() == [])
  }

  @Test("A peripheral of an earlier scan is connected to as before")
  func earlierScan() {
    let pair = Pair().discovered()
    pair.there { pair.central.manager.scanForPeripherals(withServices: [CBUUID(string: "BB00")]) }
    pair.there { pair.central.manager.connect(pair.central.peripheral) }
    equal(pair.central.peripheral.state, .connected)
  }

  @Test("A peripheral that was found is disconnected, and has no services")
  func found() {
    let pair = Pair().discovered()
    expect(pair.central.peripheral.state == .disconnected && pair.central.peripheral.services == nil)
    expect(!pair.central.peripheral.canSendWriteWithoutResponse && !pair.central.peripheral.ancsAuthorized)
  }

  @Test("What an advertiser does not say has no key")
  func absentKeys() {
    let pair = Pair()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    pair.hear(data: [2, 1, 6])
    equal(pair.central.advertisements[0].keys.sorted(), [CBAdvertisementDataIsConnectable])
    expect(pair.central.peripheral.name == nil)
  }

  @Test("The data of a discovery have the name of the newest advertisement")
  func freshName() {
    let pair = Pair()
    pair.there {
      pair.central.manager.scanForPeripherals(
        withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
    }
    for name in ["Old", "New"] { pair.hear(name: name) }
    let names = pair.central.advertisements.map { $0[CBAdvertisementDataLocalNameKey] as? String }
    expect(names == ["Old", "New"] && pair.central.found.count == 1)
  }

  @Test("Options are truth values, as objects or as numbers", arguments: 0..<5)
  func truth(index: Int) {
    let values: [Any] = [true, NSNumber(value: true), NSNumber(value: 1), 1, NSNumber(value: false)]
    let pair = Pair()
    let options = [CBCentralManagerScanOptionAllowDuplicatesKey: values[index]]
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil, options: options) }
    for _ in 0..<2 { pair.hear(name: "Box") }
    equal(pair.central.advertisements.count, (index == 4 ? 1 : 2))
  }

  @Test("Signal strengths are whole numbers, as objects, each of its own packet")
  func signal() {
    let pair = Pair().discovered()
    pair.hear(name: "Other", services: [BluetoothUUID(0xAA00)])
    equal(pair.central.signals, [-50, -70])
  }

  @Test("Advertisers without a name are reported, and named when the name comes")
  func lateName() {
    let pair = Pair()
    pair.there { pair.central.manager.scanForPeripherals(withServices: nil) }
    pair.hear()
    equal(pair.central.log.last, "discover -")
    pair.hear(name: "Box")
    expect(pair.central.log.last == "discover Box" && pair.central.found.count == 1)
    equal(pair.central.peripheral.name, "Box")
  }
}
