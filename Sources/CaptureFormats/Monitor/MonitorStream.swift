/// The stream in which a device writes the records of Linux's monitor to a serial line, as Zephyr does
/// (`CONFIG_BT_DEBUG_MONITOR_UART`) and `btmon --tty` reads; there is no file header.
///
/// Format: BlueZ, `doc/btsnoop-protocol`, "TTY-based protocol". Layout of a record, little-endian: `Length: 2 | Opcode:
/// 2 | Flags: 1 | Extended Header Length: 1 | Extended Header | Octets`; the length counts what follows it. The
/// extended
/// header has entries of a type and a value: 1 … 7 how many records were lost (1 octet), 8 the time in units of
/// 100 µs (4 octets).
enum MonitorStream {
  static let recordHeaderLength = 6

  private enum Entry {
    static let lost: ClosedRange<UInt8> = 1...7
    static let time: UInt8 = 8
    static let timeLength = 5
  }

  /// Whether the 13 octets can be the start of a stream: a record with its time first, whose octets are as many as its
  /// opcode wants.
  static func begins(_ octets: ArraySlice<UInt8>) -> Bool {
    let length = Int(octets.little(0) as UInt16)
    let opcode: UInt16 = octets.little(2)
    let start = octets.startIndex
    let extended = Int(octets[start + 5])
    guard octets[start + 4] == 0, extended >= Entry.timeLength, octets[start + 6] == Entry.time else { return false }
    let rest = length - 4 - extended
    switch opcode {
    // New Index: type, bus, address, name.
    case 0: return rest == 16
    case 2, 6, 7: return rest >= 3
    case 3: return rest >= 2
    case 4, 5, 18, 19: return rest >= 4
    case 1, 8...17: return rest >= 0
    default: return false
    }
  }

  /// Takes records out of a stream. Refuses: a record shorter than its headers.
  struct Decoder: Sendable {
    private var lost: UInt32 = 0
    /// The newest record's, in units of 100 µs; the stream has 32 bits of it.
    private var time: Int64 = 0

    mutating func next(_ window: inout OctetWindow, _ count: inout Int) throws(CaptureError) -> CaptureRecord? {
      guard window.has(recordHeaderLength) else { return nil }
      let length = Int(window.number(0, bigEndian: false) as UInt16)
      let header = window.slice(0, recordHeaderLength)
      let extended = Int(header[header.startIndex + 5])
      if length < 4 + extended { throw CaptureError(.lengthMismatch, at: window.offset) }
      guard window.has(2 + length) else { return nil }
      read(window.slice(recordHeaderLength, extended))
      let opcode: UInt16 = header.little(2)
      var octets = window.slice(recordHeaderLength + extended, length - 4 - extended)
      let original = octets.count
      let body = LinkDecoder.body(.linuxMonitor, &octets, btsnoopFlags: UInt32(opcode))
      window.skip(2 + length)
      count += 1
      return CaptureRecord(
        number: count, link: .linuxMonitor, nanoseconds: time * 100_000, originalLength: original, drops: lost,
        body: body, octets: octets)
    }

    private mutating func read(_ entries: ArraySlice<UInt8>) {
      var rest = entries
      while let type = rest.first {
        if type == Entry.time {
          guard rest.count >= Entry.timeLength else { return }
          let units = Int64(rest.little(1) as UInt32)
          let round = Int64(1) << 32
          time = time / round * round + units + (units + round / 2 < time % round ? round : 0)
          rest = rest.dropFirst(Entry.timeLength)
        } else {
          guard Entry.lost.contains(type), rest.count >= 2 else { return }
          lost &+= UInt32(rest[rest.startIndex + 1])
          rest = rest.dropFirst(2)
        }
      }
    }
  }
}
