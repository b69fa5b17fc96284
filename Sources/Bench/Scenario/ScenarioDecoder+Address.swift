import BluetoothWire

extension ScenarioDecoder {
  /// An address that a device has, and where it is written.
  struct WrittenAddress {
    var address: BluetoothAddress
    var device: String
    var location: SourceLocation
  }

  /// `C0:00:00:00:00:01` (random static), or `public 00:1B:DC:00:00:01`, most significant octet first.
  ///
  /// Spec: Core v5.4, Vol 6, Part B, 1.3.1 (a public address is of one device, so its group bit is 0) and 1.3.2.1
  /// (the two upper bits of a random static address are 1, and the rest is neither all 0 nor all 1).
  func address(_ tree: YAMLTree) -> BluetoothAddress? {
    guard let text = text(tree, "“address”") else { return nil }
    let words = text.split(separator: " ")
    let isPublic = words.first == "public"
    guard words.count == (isPublic ? 2 : 1), let bits = words.last.flatMap({ BluetoothAddress.bits(of: $0) }) else {
      return refuse(
        tree.location,
        "“address” “\(shown(text))” is no address; write C0:00:00:00:00:01 or public 00:1B:DC:00:00:01")
    }
    if isPublic {
      if bits >> 40 & 1 == 0, bits > 0 { return BluetoothAddress(kind: .publicDevice, bits: bits) }
      return refuse(
        tree.location,
        "“address” “\(shown(text))” is not of one device; write a public address whose first octet is even")
    }
    let rest = bits & 0x3FFF_FFFF_FFFF
    if bits >> 46 == 3, rest != 0, rest != 0x3FFF_FFFF_FFFF { return BluetoothAddress(kind: .random, bits: bits) }
    return refuse(
      tree.location,
      "“address” “\(shown(text))” is not random static; write C0 to FF first, or “public” before a public address")
  }

  /// Notes an address that another device has already.
  func refuseDuplicate(_ written: WrittenAddress, among others: [WrittenAddress]) {
    guard let owner = others.first(where: { $0.address == written.address }) else { return }
    guard owner.location == written.location else {
      note(
        written.location, "“address” \(written.address) is \(owner.device)'s already; write another one")
      return
    }
    // The second member of a group says it for all.
    if others.filter({ $0.location == owner.location }).count == 1 {
      note(
        written.location,
        "“address” would be that of all members; write it for one of them, “\(owner.device): { address: … }”")
    }
  }
}
