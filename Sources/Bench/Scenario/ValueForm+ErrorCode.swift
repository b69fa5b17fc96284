import BluetoothWire

extension ValueForm where Value == UInt8 {
  /// An error of ATT, of a controller or of a platform: 1 … 255, decimal or after 0x, or the name of a reason of the
  /// controller in small letters.
  static var errorCode: Self {
    let names = HCI.ErrorCode.reasonNames
    let kind = ValueKind.either([.integer(1, 255), .text])
    return Self(kind, { .scalar("0x" + String(hexadecimal: $0, digits: 2, uppercase: true)) }) { decoder, tree, what in
      guard let text = decoder.text(tree, what) else { return nil }
      if let reason = names.first(where: { $0.name == text.lowercased() }) { return reason.code.rawValue }
      let number = text.hasPrefix("0x") ? UInt8(text.dropFirst(2), radix: 16) : UInt8(text)
      if let number, number > 0 { return number }
      let advice =
        Suggestion.nearest(to: text, in: names.map(\.name)).map { "did you mean “\($0)”?" }
        ?? "write a number, 1 to 255 or 0x01 to 0xFF, or " + Suggestion.alternatives(names.map(\.name))
      decoder.note(tree.location, "“\(decoder.shown(text))” is no error code; \(advice)")
      return nil
    }
  }
}
