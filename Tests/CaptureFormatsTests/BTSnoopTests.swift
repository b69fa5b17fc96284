import CaptureFormats
import Testing

@Suite("btsnoop files, version 1")
struct BTSnoopTests {
  /// Shared capture 14, octets 0 … 68: header and first packet (LE Set Scan Parameters) of an Android phone.
  static let android = SharedFile.hex(
    "6274736e6f6f7000 00000001 000003ea 0000000b 0000000b 00000002 00000000 00e1ffbf003f6ac6 010b200701401f401f0000")

  private func read(_ octets: [UInt8], chunk: Int = .max) throws -> (records: [BTSnoop.Record], reader: BTSnoop.Reader)
  {
    var reader = BTSnoop.Reader()
    var records: [BTSnoop.Record] = []
    var position = 0
    repeat {
      let count = min(chunk, octets.count - position)
      reader.append(Array(octets[position..<position + count]))
      position += count
      while let record = try reader.next() { records.append(record) }
    } while position < octets.count
    return (records, reader)
  }

  @Test("The first packet of an Android capture reads as Wireshark reads it")
  func androidRecord() throws {
    let (records, reader) = try read(Self.android)
    #expect(reader.datalink == 1002)
    #expect(reader.ending == .whole)
    #expect(
      records == [
        BTSnoop.Record(
          isReceived: false, isCommandOrEvent: true, timestamp: 0x00E1_FFBF_003F_6AC6, originalLength: 11,
          octets: SharedFile.hex("010b200701401f401f0000"))
      ])
    // Wireshark: 1444809567.890118 s since 1970.
    #expect(
      records[0].timestamp - CaptureEpoch.btsnoopMicroseconds == (1_444_809_567 - 946_684_800) * 1_000_000 + 890_118)
  }

  @Test("A packet at the same time writes the same octets")
  func writes() {
    var file: [UInt8] = []
    BTSnoop.appendHeader(to: &file)
    BTSnoop.appendRecord(
      SharedFile.hex("010b200701401f401f0000"), nanoseconds: 498_124_767_890_118_999, isReceived: false,
      isCommandOrEvent: true, to: &file)
    #expect(file == Self.android)
  }

  @Test("The start of a run is the start of the year 2000 in both formats")
  func epoch() {
    // Wireshark's offset from btsnoop's time to 1970.
    #expect(
      CaptureEpoch.btsnoopMicroseconds - CaptureEpoch.unixSeconds * 1_000_000 == 0x00DC_DDB3_0F2F_8000)
    #expect(CaptureEpoch.unixSeconds == 10_957 * 86_400)
  }

  @Test("Whole foreign captures read to their last packet in pieces of any size", .enabled(if: SharedFile.areAvailable))
  func foreign() throws {
    let entries = try SharedFile.entries("btsnoop v1")
    #expect(entries.count >= 18)
    for entry in entries {
      let octets = try SharedFile.octets(entry)
      let (records, reader) = try read(octets)
      #expect(records.count == entry.packets, "\(entry)")
      #expect(reader.ending == .whole, "\(entry)")
      #expect(entry.datalink.hasPrefix(String(reader.datalink ?? 0)), "\(entry)")
      #expect(try read(octets, chunk: 1000).records == records)
      var again: [UInt8] = []
      BTSnoop.appendHeader(datalink: reader.datalink ?? 0, to: &again)
      for record in records where record.originalLength == record.octets.count && record.drops == 0 {
        BTSnoop.appendRecord(
          record.octets, nanoseconds: (record.timestamp - CaptureEpoch.btsnoopMicroseconds) * 1_000,
          isReceived: record.isReceived, isCommandOrEvent: record.isCommandOrEvent, to: &again)
      }
      if again.count == octets.count, reader.datalink == BTSnoop.h4Datalink { #expect(again == octets, "\(entry)") }
    }
  }

  @Test("A file that ends inside a record gives the records before it and says where")
  func truncated() throws {
    let file = Self.android + Self.android.dropFirst(16)
    for count in 0...file.count {
      let (records, reader) = try read(Array(file.prefix(count)), chunk: 3)
      #expect(records.count == (count < 51 ? 0 : count < 86 ? 1 : 2))
      let expected: CaptureEnding =
        switch count {
        case 16, 51, 86: .whole
        case ..<16: .truncated(recordAt: 0)
        case ..<51: .truncated(recordAt: 16)
        default: .truncated(recordAt: 51)
        }
      #expect(reader.ending == expected, "\(count)")
    }
  }

  @Test("Every bit flip is read or refused, and impossible headers are refused where they are")
  func damaged() throws {
    for bit in 0..<Self.android.count * 8 {
      var octets = Self.android
      octets[bit >> 3] ^= 1 << UInt8(bit & 7)
      _ = try? read(octets, chunk: 5)
    }
    #expect(throws: CaptureError(.notThisFormat, at: 0)) { try read([0x62, 0x74, 0x00]) }
    var other = Self.android
    other[11] = 2
    #expect(throws: CaptureError(.unsupportedVersion, at: 8)) { try read(other) }
    other = Self.android
    other[17] = 1
    other[21] = 1
    #expect(throws: CaptureError(.lengthOutOfRange, at: 20)) { try read(other) }
    other = Self.android
    other[19] = 10
    #expect(throws: CaptureError(.lengthMismatch, at: 16)) { try read(other) }
  }
}
