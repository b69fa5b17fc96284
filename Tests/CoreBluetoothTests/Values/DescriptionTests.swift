import CoreBluetooth
import Expectations
import Foundation
import Testing

@testable import CoreBluetooth

/// The texts that developers quote from logs: “Cancelling connection for unused peripheral <CBPeripheral: 0x10b65b1e0,
/// identifier = …, name = …, mtu = 23, state = connecting>”.
@Suite("Texts of objects")
struct DescriptionTests {
  /// Without the number that stands for the place in memory.
  private func text(_ object: NSObject) -> String {
    "\(object)".replacing(/0x[0-9a-f]{1,12}(?=,? (identifier|isPrimary|UUID))/, with: "0x")
  }

  @Test("A peripheral says identifier, name, mtu and state; no link has an mtu of 0")
  func peripheral() {
    let pair = Pair().discovered()
    let peripheral = pair.central.peripheral!
    let identifier = peripheral.identifier.uuidString
    equal(
      text(peripheral), "<CBPeripheral: 0x, identifier = \(identifier), name = Box, mtu = 0, state = disconnected>")
    pair.there { pair.central.manager.connect(peripheral) }
    expect(text(peripheral).contains(/mtu = [1-9][0-9]+, state = connected>$/))
    pair.there { pair.central.manager.cancelPeripheralConnection(peripheral) }
    expect(text(peripheral).hasSuffix(", mtu = 0, state = disconnected>"))
  }

  @Test("Services, characteristics and descriptors say what they are, and the value as NSData does")
  func attributes() {
    let pair = Pair().subscribed()
    let service = pair.central.services[0]
    equal(text(service), "<CBService: 0x, isPrimary = YES, UUID = AA00>")
    let characteristic = pair.central.characteristic("AA01")!
    let digits = String(characteristic.properties.rawValue, radix: 16, uppercase: true)
    characteristic.cachedValue = nil
    equal(
      text(characteristic),
      "<CBCharacteristic: 0x, UUID = AA01, properties = 0x\(digits), value = (null), notifying = YES>")
    characteristic.cachedValue = Data([0xAB, 1])
    expect(text(characteristic).contains("value = {length = 2, bytes = 0xab01}"))
    characteristic.cachedValue = Data(0..<32)
    expect(
      text(characteristic).contains(
        "{length = 32, bytes = 0x00010203 04050607 08090a0b 0c0d0e0f ... 18191a1b 1c1d1e1f }"))
    let descriptor = CBDescriptor(type: CBUUID(string: "2902"), value: NSNumber(value: 1))
    equal(text(descriptor), "<CBDescriptor: 0x, UUID = 2902, value = 1>")
  }

  @Test("A central says identifier and how much a notification may have")
  func central() {
    let pair = Pair().subscribed()
    let central = pair.peripheral.characteristic("AA01").subscribedCentrals?.first
    equal(central.map(text)?.contains(/^<CBCentral: 0x identifier = [0-9A-F-]{36}, MTU = [0-9]+>$/), true)
  }

  @Test("The texts of two runs are the same, so that what an app makes of them is")
  func same() {
    let texts = (0..<2).map { _ in
      let pair = Pair().ready()
      let objects: [NSObject] = [
        pair.central.peripheral, pair.central.services[0], pair.central.characteristic("AA01"),
      ]
      return objects.map(\.description)
    }
    expect(texts[0] == texts[1] && Set(texts[0]).count == 3)
  }
}
