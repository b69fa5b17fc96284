import Expectations
import Testing

@testable import Fuzzing

/// Units that attacks are made of, besides those that pass.
@Suite("Drawn units")
struct DrawnUnitsTests {
  private let table = FuzzedDecoder.general

  /// First octets of the units of a row; of `l2cap`, the channel and the first octet on it.
  private func kinds(_ row: String, seed: UInt64) -> Set<[UInt8]> {
    Set(
      table.units(of: [(row, [])], seed: seed).map { unit in
        row == "l2cap" ? [unit[2], unit.count > 4 ? unit[4] : 0] : Array(unit.prefix(1))
      })
  }

  @Test("Every seed has each command of the signalling channel and each PDU of the Security Manager", arguments: 1...3)
  func everyFrame(seed: UInt64) {
    let kinds = kinds("l2cap", seed: seed)
    for code in [0x01, 0x06, 0x07] + Array(0x12...0x1A) as [UInt8] { expect(kinds.contains([5, code]), "\(code)") }
    for code in 0x01...0x0E as ClosedRange<UInt8> { expect(kinds.contains([6, code]), "\(code)") }
  }

  @Test("Every seed has each ATT PDU that has a form of its own, and each LL control PDU of 5.4", arguments: 1...3)
  func everyPDU(seed: UInt64) {
    let attributes = kinds("att", seed: seed)
    for opcode in [0x01, 0x02, 0x08, 0x12, 0x16, 0x18, 0x52] as [UInt8] {
      expect(attributes.contains([opcode]), "\(opcode)")
    }
    let controls = kinds("ll-control", seed: seed)
    for opcode in 0x00...0x19 as ClosedRange<UInt8> { expect(controls.contains([opcode]), "\(opcode)") }
  }

  @Test("A seed has the same units each time, not too many, and others than another seed")
  func deterministic() {
    for row in ["att", "l2cap", "hci-to-controller", "hci-event", "ll-control", "ll-advertising"] {
      let units = table.units(of: [(row, [7])], seed: 3)
      equal(units, table.units(of: [(row, [7])], seed: 3))
      expect(units != table.units(of: [(row, [7])], seed: 4))
      expect((64...1_024).contains(units.count), "\(row) \(units.count)")
      expect(units.allSatisfy { $0.first == 7 })
    }
  }
}
