/// A number as people read it: `0x0013`.
public func hexNumber(_ number: some BinaryInteger, digits: Int) -> String {
  "0x" + String(hexadecimal: number, digits: digits, uppercase: true)
}
