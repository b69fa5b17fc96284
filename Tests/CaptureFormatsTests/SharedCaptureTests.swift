import CaptureFormats
import Expectations
import Testing

@Suite("Captures that others made", .enabled(if: SharedFile.areAvailable))
struct SharedCaptureTests {
  /// `pcapng`, `pklg LE` … of the index as what we call it; nil: no capture.
  private func format(_ entry: SharedFile.Entry) -> CaptureFormat? {
    CaptureFormat(rawValue: String(entry.format.split(separator: " ")[0]))
  }

  private func link(_ entry: SharedFile.Entry, _ format: CaptureFormat) throws -> CaptureLink {
    if format == .packetLogger { return .packetLogger }
    let number = try required(entry.datalink.split(separator: " ").first.flatMap { UInt32($0) })
    return switch number {
    case 1: .ethernet
    case 187, 1002: .h4
    case 201: .h4WithDirection
    case 251: .leLinkLayer
    case 254, 2001: .linuxMonitor
    case 192: .ppi
    case 256: .leLinkLayerWithHeader
    case 272: .nordicBLE
    case 1001: .hciUnencapsulated
    default: .other(number)
    }
  }

  @Test("All of them have as many records as the index says, and what is no capture is refused")
  func counts() throws {
    let entries = try SharedFile.entries()
    equal(entries.count, 38)
    for entry in entries {
      let octets = try SharedFile.octets(entry)
      guard let format = format(entry) else {
        #expect {
          try ReadFile(octets)
        } throws: {
          "\($0)".contains("it looks like bare H4 packets")
        }
        continue
      }
      let file = try ReadFile(octets)
      let link = try link(entry, format)
      equal(file.reader.format, format, "\(entry)")
      equal(file.records.count, entry.packets, "\(entry)")
      equal(file.reader.ending, .whole, "\(entry)")
      expect(file.records.allSatisfy { $0.link == link }, "\(entry)")
      try equal(ReadFile(octets, chunk: 1000).plain, file.plain, "\(entry)")
      // Six records of LMP, type 0A, in PacketLogger's capture 16.
      equal(file.records.count { $0.body == .opaque(.unknownKind) }, (entry.datalink.contains("0a:6") ? 6 : 0))
      let isForeign = if case .other = link { true } else { false }
      for record in file.records {
        switch record.body {
        case .opaque(.unknownKind): expect(entry.datalink.contains("0a:6"), "\(entry) \(record.number)")
        case .opaque(let why): expect(isForeign && why == .foreignLink, "\(entry) \(record.number) \(why)")
        case .hci(_, let indicator, let isToHost):
          expect((1...5).contains(indicator) && isToHost != nil, "\(entry) \(record.number)")
        case .air, .monitor, .text: break
        // LMP in frames of Ethernet, as InternalBlue writes it.
        case .network: equal(link, .ethernet, "\(entry) \(record.number)")
        }
      }
    }
  }

  @Test("One record fewer is seen", arguments: ["btsnoop v1", "pcap", "pcapng", "pklg LE"])
  func mutant(_ format: String) throws {
    let entry = try required(try SharedFile.entries(format).first { $0.packets > 1 })
    let octets = try SharedFile.octets(entry)
    let whole = try ReadFile(octets)
    let last = try required(whole.records.last)
    let cut = try ReadFile(Array(octets.dropLast(last.octets.count)))
    equal(cut.records.count, entry.packets - 1)
    expect(cut.reader.ending != .whole)
  }

  @Test(
    "Wireshark sees the same times, lengths and directions in every one", .enabled(if: Wireshark.isThere))
  func wireshark() throws {
    for entry in Part.of(try SharedFile.entries(), 3) {
      guard let format = format(entry) else { continue }
      let records = try ReadFile(SharedFile.octets(entry)).records
      let rows = try Wireshark.lengths(SharedFile.folder + "/" + entry.name)
      equal(rows.count, records.count, "\(entry)")
      for (row, record) in zip(rows, records) {
        let length = record.originalLength - Wireshark.hiddenOctets(record.link, format)
        // Capture 21 has negative fractions and such beyond a second; tshark prints both numbers as they are, with the
        // sign of the fraction in front of all.
        let time = row[0].drop { $0 == "-" }.split(separator: ".").compactMap { Int64($0) }
        let fraction = row[0].hasPrefix("-") ? -time[1] : time[1]
        equal(time[0] * 1_000_000_000 + fraction, record.nanoseconds, "\(entry) \(record.number)")
        expect(row[1] == "\(length)" && row[2] == row[1], "\(entry) \(record.number)")
        if case .hci(_, _, let isToHost) = record.body, record.link != .packetLogger, record.link != .linuxMonitor {
          equal(row[3], (isToHost == true ? "1" : "0"), "\(entry) \(record.number)")
        }
      }
    }
  }
}
