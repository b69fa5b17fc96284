import Bench
import Bystanders
import Conformance
import CoreBluetooth
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRoom

/// Subscribes to the levels of a headset, and knows nothing of the room.
private final class LevelMeter: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  private(set) var levels: [Data] = []
  private(set) var name: String?
  private var headset: CBPeripheral?
  private var central: CBCentralManager?

  override init() {
    super.init()
    central = CBCentralManager(delegate: self, queue: nil)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [CBUUID(string: "FDF0")], options: nil)
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    if headset != nil { return }
    headset = peripheral
    name = advertisementData[CBAdvertisementDataLocalNameKey] as? String
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral, options: nil)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices(nil)
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    for characteristic in service.characteristics ?? [] where characteristic.properties.contains(.notify) {
      peripheral.setNotifyValue(true, for: characteristic)
    }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    if let value = characteristic.value { levels.append(value) }
  }
}

@Suite("An app written for CoreBluetooth talks with a recorded device")
struct RecordedRoomTests {
  @Test("It finds the device of the capture and hears what that told")
  func levels() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recorded-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The capture: a headset of the bench at the HCI of its player.
    let first = try ScenarioReader.read(
      text: """
        duration: 5s
        devices:
          headset: { protocol: bystander, role: headset }
          player: { protocol: bystander, role: player }
        """, file: "first.yaml", language: ScenarioLanguage([.bystander])
    ).get()
    let captures = try HCICaptureReader(folder: folder)
    let engines = [AppProtocol.bystander].engines
    _ = try World.run(first, options: RunOptions(seed: 1), readers: [captures], engines: engines)
    try captures.close()
    let room = try VirtualRoom(
      scenarioText: """
        duration: 1s
        devices:
          sensor: { protocol: recorded, recording: player.btsnoop }
          app: { protocol: recorded, role: central, phone: iphone }
        expect:
          - sensor knows every request
        """, named: folder + "/room.yaml", players: Players([.recorded]))
    let phone = try room.app(of: "app") { LevelMeter() }
    try room.wait(within: .seconds(10)) { phone.app?.levels.count == 10 }
    let result = room.play()
    expect(result.isPass, "\(result)")
    equal(phone.app?.levels.prefix(10), ArraySlice(repeating: Data([0x5A, 0x5A]), count: 10))
  }
}
