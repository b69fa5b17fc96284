import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import VirtualRadio

@Suite("Further advertisers beside the legacy one (Android, Bluetooth HCI requirements, multi-advertiser support)")
struct MultiAdvertisingTests {
  private static let parameters = HCI.AdvertisingParameters(intervalMinimum: 0x00A0, intervalMaximum: 0x00A0)
  /// Octets in the order in which AOSP writes them (`ble_advertiser_hci_interface.cc`): subcommand, its parameters, the
  /// instance (for 0x01 with the power after it).
  private static let vectors: [(HCI.MultiAdvertising, [UInt8])] = [
    (
      .parameters(1, parameters),
      [0x01, 0xA0, 0x00, 0xA0, 0x00, 0x00, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x07, 0x00, 0x01, 0x00]
    ),
    (.data(2, [2, 1, 6]), [0x02, 0x03, 2, 1, 6] + [UInt8](repeating: 0, count: 28) + [0x02]),
    (.scanResponse(3, []), [0x03, 0x00] + [UInt8](repeating: 0, count: 31) + [0x03]),
    (
      .randomAddress(1, BluetoothAddress(kind: .random, bits: 0xC0DE_0000_0001)),
      [0x04, 0x01, 0x00, 0x00, 0x00, 0xDE, 0xC0, 0x01]
    ),
    (.enable(1, true), [0x05, 0x01, 0x01]),
  ]

  @Test("Commands have the octets that AOSP sends, and are read from them")
  func octets() {
    equal(HCI.MultiAdvertising.opcode.rawValue, 0xFD54)
    for (command, octets) in Self.vectors {
      equal(command.octets, octets)
      equal(HCI.MultiAdvertising(octets), command)
      for length in 0..<octets.count { expect(HCI.MultiAdvertising(Array(octets.prefix(length))) == nil) }
      expect(HCI.MultiAdvertising(octets + [0]) == nil)
    }
    expect(HCI.MultiAdvertising([0x06, 0, 0]) == nil)
    expect(HCI.MultiAdvertising([0x05, 2, 1]) == nil)
    expect(HCI.MultiAdvertising([0x02, 32] + [UInt8](repeating: 0, count: 32)) == nil)
  }

  @Test("A controller has them if its configuration says so, by the rules of its other commands")
  func controller() {
    let bench = ControllerBench(2) { configuration, device in configuration.hasMultiAdvertising = device == 0 }
    func status(_ command: HCI.MultiAdvertising, _ device: Int = 0) -> UInt8? {
      bench.command(device, 0xFD54, command.octets)
    }
    equal(status(.enable(1, true), 1), 0x01)
    equal(status(.enable(0, true)), 0x12, "that one is the legacy commands'")
    equal(status(.enable(4, true)), 0x12, "there are four")
    equal(bench.command(0, 0xFD54), 0x12)
    equal(status(.parameters(1, Self.parameters)), 0)
    equal(status(.enable(1, true)), 0x12, "without an address")
    equal(status(.randomAddress(1, BluetoothAddress(kind: .random, bits: 0xC0DE_0000_0001))), 0)
    equal(status(.data(1, [2, 1, 6])), 0)
    equal(status(.enable(1, true)), 0)
    equal(status(.parameters(1, Self.parameters)), 0x0C, "while it advertises")
    equal(status(.enable(1, false)), 0)
    equal(status(.parameters(1, HCI.AdvertisingParameters(intervalMinimum: 0x1F, intervalMaximum: 0x1F))), 0x12)
    // LE Set Advertising Parameters go beside them, LE Clear Advertising Sets does not.
    equal(bench.command(0, 0x203D), 0x0C)
  }

  @Test("An answer says which subcommand it is of")
  func answer() throws {
    let bench = ControllerBench(1) { configuration, _ in configuration.hasMultiAdvertising = true }
    try equal(bench.returned(0, 0xFD54, HCI.MultiAdvertising.enable(1, false).octets), [0x05])
  }
}
