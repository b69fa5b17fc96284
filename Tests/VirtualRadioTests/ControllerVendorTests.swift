import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Zephyr's vendor commands. Numbers and forms of answers are those of its `hci_vs.h`; the bits of supported commands
/// are those that its controller sets.
@Suite("Vendor commands of Zephyr")
struct ControllerVendorTests {
  private static let opcodes: [UInt16] = [0xFC01, 0xFC02, 0xFC03, 0xFC06, 0xFC08, 0xFC09]

  private static func bench() -> ControllerBench {
    ControllerBench(2) { configuration, device in configuration.hasZephyrCommands = device == 1 }
  }

  @Test("A controller without the key has no vendor command, and with it only those that it names")
  func key() throws {
    let bench = Self.bench()
    for opcode in Self.opcodes {
      let parameters: [UInt8] = opcode == 0xFC06 ? [1, 2, 3, 4, 5, 6] : []
      equal(bench.command(0, opcode, parameters), 0x01)
      equal(bench.command(1, opcode, parameters), 0x00)
      equal(bench.command(1, opcode, [UInt8](repeating: 0, count: 7)), 0x12)
    }
    // Set Trace Enable, Read Key Hierarchy Roots, Read Chip Temperature.
    for opcode: UInt16 in [0xFC07, 0xFC0A, 0xFC0B] { equal(bench.command(1, opcode), 0x01) }
    let supported = try bench.returned(1, 0xFC02)
    expect(
      supported.count == 64 && supported.prefix(2) == [0b1010_0111, 0b1] && supported[2...].allSatisfy { $0 == 0 })
  }

  @Test("Answers have their length")
  func forms() throws {
    let bench = Self.bench()
    try equal(bench.returned(1, 0xFC01).count, 12)
    try equal(bench.returned(1, 0xFC03).count, 8)
    try equal(bench.returned(1, 0xFC08).last, 0)
    let addresses = try bench.returned(1, 0xFC09)
    expect(addresses.count == 1 + 22 && addresses[0] == 1)
    equal(addresses[1...6], (ControllerBench.publicAddress(1).octets.dropLast() + [0xC0])[...])
    expect(addresses[7...].allSatisfy { $0 == 0 })
  }

  @Test("A public address that is written is told, advertised and connected to, and stays over a reset")
  func publicAddress() throws {
    let bench = Self.bench()
    let written: [UInt8] = [6, 5, 4, 3, 2, 1]
    equal(bench.command(1, 0xFC06, written), 0)
    equal(bench.command(1, 0x0C03), 0)
    try equal(bench.returned(1, 0x1009), written)
    for device in 0...1 { bench.unmask(device) }
    equal(bench.command(1, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(1, 0x200A, [1]), 0)
    equal(bench.command(1, 0xFC06, [9, 9, 9, 9, 9, 9]), 0x0C)
    equal(bench.command(0, 0x200B, [0, 16, 0, 16, 0, 0, 0]), 0)
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    let report = try required(bench.event(0, le: 0x02))
    equal(Array(report[6..<13]), [0] + written)
    equal(bench.command(0, 0x200C, [0, 0]), 0)
    let peer = BluetoothAddress(kind: .publicDevice, bits: 0x0102_0304_0506)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: peer)), 0)
    expect(bench.event(0, le: 0x0A) != nil)
    equal(bench.command(1, 0xFC06, [9, 9, 9, 9, 9, 9]), 0x0C)
  }
}
