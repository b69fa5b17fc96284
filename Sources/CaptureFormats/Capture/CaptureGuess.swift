/// Says what a file is that is no capture, as far as its first octets tell.
enum CaptureGuess {
  static func refusal(_ front: ArraySlice<UInt8>) -> CaptureError {
    CaptureError(.notACapture, at: 0, guess: guess(front))
  }

  private static func guess(_ front: ArraySlice<UInt8>) -> String? {
    func starts(_ octets: [UInt8]) -> Bool { front.starts(with: octets) }
    if front.isEmpty { return "the file is empty" }
    if starts([0x1F, 0x8B]) { return "it looks like gzip; unpack it first" }
    if starts([0x28, 0xB5, 0x2F, 0xFD]) { return "it looks like zstd; unpack it first" }
    if starts([0xFD, 0x37, 0x7A, 0x58, 0x5A]) { return "it looks like xz; unpack it first" }
    if starts([0x42, 0x5A, 0x68]) { return "it looks like bzip2; unpack it first" }
    if starts([0x50, 0x4B, 0x03, 0x04]) {
      return "it looks like a zip archive, as Android's bug reports are; unpack it and hand in btsnoop_hci.log"
    }
    if starts(Array("snoop\0\0\0".utf8)) { return "it looks like a Solaris snoop file of a network" }
    if front.count >= 4, front.little(0) as UInt32 == PCAP.patchedMagic || front.big(0) as UInt32 == PCAP.patchedMagic {
      return "it looks like a pcap file of a patched libpcap; editcap rewrites it"
    }
    if starts(Array("Ellisys Trace File".utf8)) {
      return "it is a trace of Ellisys's analyser, whose format is not public; export it there as pcapng or btsnoop"
    }
    if starts(Array("SQLite format 3".utf8)) { return "it looks like an SQLite database" }
    let known: [[UInt8]] =
      [BTSnoop.magic, [0x0A, 0x0D, 0x0D, 0x0A]]
      + [PCAP.microsecondMagic, PCAP.nanosecondMagic].flatMap { magic in
        let big = (0..<4).map { UInt8(truncatingIfNeeded: magic >> (24 - 8 * UInt32($0))) }
        return [big, big.reversed()]
      }
    if front.count < 13 {
      return known.contains { $0.starts(with: front.prefix($0.count)) }
        ? "it ends inside the file header" : "it is too short for a capture"
    }
    if isH4(front) {
      return "it looks like bare H4 packets, a UART log without the times and directions of a capture"
    }
    if isThreeWire(front) {
      return "it looks like frames of H5 or BCSP, a UART log without the times and directions of a capture"
    }
    if front.prefix(64).allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 >= 0x09 && $0 <= 0x0D || $0 == 0x1B }) {
      return text(front)
    }
    return nil
  }

  /// What a file of text is the log of. Its first octets may be as few as those that recognition needs.
  private static func text(_ front: ArraySlice<UInt8>) -> String {
    let line = String(decoding: front.prefix(200), as: UTF8.self)
    if ["Bluetooth mon", "= Note: Linux", "= New Index: ", "< HCI Command", "> HCI Event: ", "@ MGMT Open: "]
      .contains(where: line.hasPrefix)
    {
      return "it looks like a text log of btmon; let btmon write octets, with -w"
    }
    if line.hasPrefix("HCI sniffer -") {
      return "it looks like a text log of hcidump; let it write octets, with -w"
    }
    if line.hasPrefix("--------- beg") {
      return "it looks like a text log of Android's logcat; the packets are in btsnoop_hci.log"
    }
    if ["*** Booting ", "\u{1B}", "rst:0x", "ets J", "[00:00:0"].contains(where: line.hasPrefix) {
      return "it looks like the text log of a device's UART console, which has no packets"
    }
    return "it looks like text; export octets instead (PacketLogger: Save as .pklg; btmon: -w)"
  }

  /// A SLIP frame whose four octets of header have the sum 0xFF that Three-wire UART (Core v5.4, Vol 4, Part D, 4)
  /// and BCSP ask for.
  private static func isThreeWire(_ front: ArraySlice<UInt8>) -> Bool {
    guard front.first == 0xC0 else { return false }
    var header: [UInt8] = []
    var isEscaped = false
    for octet in front.drop(while: { $0 == 0xC0 }) where header.count < 4 {
      if octet == 0xC0 { return false }
      if octet == 0xDB {
        isEscaped = true
      } else {
        header.append(isEscaped ? (octet == 0xDC ? 0xC0 : 0xDB) : octet)
        isEscaped = false
      }
    }
    return header.count == 4 && header.reduce(0, &+) == 0xFF
  }

  /// Two whole packets, or one and nothing else.
  private static func isH4(_ front: ArraySlice<UInt8>) -> Bool {
    var rest = front
    for _ in 0..<2 {
      guard let indicator = rest.first, rest.count >= 5 else { return false }
      let start = rest.startIndex
      let length: Int
      switch indicator {
      case 0x01: length = 4 + Int(rest[start + 3])
      case 0x02: length = 5 + Int(rest.little(3) as UInt16)
      case 0x04: length = 3 + Int(rest[start + 2])
      // The two highest bits are reserved for future use.
      case 0x05: length = 5 + Int((rest.little(3) as UInt16) & 0x3FFF)
      default: return false
      }
      guard rest.count >= length else { return false }
      rest = rest.dropFirst(length)
      if rest.isEmpty { return true }
    }
    return true
  }
}
