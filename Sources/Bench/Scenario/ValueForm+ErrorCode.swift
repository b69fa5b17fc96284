import BluetoothWire

extension ValueForm where Value == UInt8 {
  /// The names of errors: those of ATT, and reasons of the controller, with which links and attempts at one end.
  private static let errorNames: [(name: String, code: UInt8)] =
    ATT.ErrorCode.names.map { ($0.name, $0.code.rawValue) }
    + HCI.ErrorCode.reasonNames.map { ($0.name, $0.code.rawValue) }

  /// An error of ATT, of a controller or of a platform: 1 … 255, decimal or after 0x, or its name
  /// in small letters.
  static var errorCode: Self {
    let kind = ValueKind.either([.integer(1, 255), .text])
    return Self(kind, { .scalar("0x" + String(hexadecimal: $0, digits: 2, uppercase: true)) }) { decoder, tree, what in
      guard let text = decoder.text(tree, what) else { return nil }
      if let named = errorNames.first(where: { $0.name == text.lowercased() }) { return named.code }
      let number = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
      if let number, number > 0 { return number }
      let advice =
        Suggestion.nearest(to: text, in: errorNames.map(\.name)).map { "did you mean “\($0)”?" }
        ?? "write a number, 1 to 255 or 0x01 to 0xFF, or the name of an ATT error or of a reason of the controller,"
        + " such as “unlikely error” or “connection timeout”"
      return decoder.refuse(tree.location, "“\(decoder.shown(text))” is no error code; \(advice)")
    }
  }
}
