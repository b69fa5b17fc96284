import BluetoothWire
import Expectations
import Testing

@Suite("Hexadecimal text")
struct HexadecimalTests {
  @Test("A number has as many digits as were asked for, and more when it needs them")
  func numbers() {
    equal(String(hexadecimal: UInt8(0), digits: 0), "")
    equal(String(hexadecimal: UInt8(0), digits: 1), "0")
    equal(String(hexadecimal: UInt8(0xA), digits: 2), "0a")
    equal(String(hexadecimal: 0xBEEF, digits: 2, uppercase: true), "BEEF")
    equal(String(hexadecimal: UInt64.max, digits: 20), "0000ffffffffffffffff")
    for number in 0..<0x1_0000 {
      let plain = String(number, radix: 16)
      equal(String(hexadecimal: number, digits: 1), plain)
      equal(String(hexadecimal: number, digits: 4), String(repeating: "0", count: 4 - plain.count) + plain)
    }
  }

  @Test("Octets have two digits each, with a separator between them or none")
  func octets() {
    equal(String(hexadecimal: [UInt8]()), "")
    equal(String(hexadecimal: [UInt8](), separator: ":"), "")
    equal(String(hexadecimal: [0x0F] as [UInt8], separator: ":"), "0f")
    equal(String(hexadecimal: [0xF0, 0x0A, 0xFF] as [UInt8]), "f00aff")
    equal(String(hexadecimal: ([0xF0, 0x0A, 0xFF] as [UInt8])[1...], uppercase: true, separator: " "), "0A FF")
    let all = [UInt8](0...255)
    equal([UInt8].hex(String(hexadecimal: all)), all)
    equal(String(hexadecimal: all, uppercase: true), String(hexadecimal: all).uppercased())
  }
}
