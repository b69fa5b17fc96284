import CoreBluetooth
import Expectations
import Foundation
import Testing

/// A mock as test suites of apps write it.
private final class CountingManager: CBCentralManager {
  var scans = 0
  override func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) { scans += 1 }
  override var state: CBManagerState { .poweredOn }
}

@Suite("Subclasses")
struct SubclassTests {
  @Test("An app may override commands and state")
  func override() {
    let phone = Room().add()
    let manager = phone.whileCurrent { CountingManager(delegate: nil, queue: nil) }
    manager.scanForPeripherals(withServices: nil)
    equal(manager.scans, 1)
    equal(manager.state, .poweredOn)
    expect(!manager.isScanning)
  }
}
