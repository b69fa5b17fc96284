import BluetoothWire

/// A number as reports write it: `0x0013`.
func hexNumber(_ number: some BinaryInteger, digits: Int) -> String {
  "0x" + String(hexadecimal: number, digits: digits, uppercase: true)
}
