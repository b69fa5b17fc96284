import CaptureFormats
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

/// Octets written by hand after the layouts of Core v5.4.
@Suite("The fields that inspect --verbose prints")
struct InspectFieldTests {
  static func lines(_ packets: [[UInt8]], isVerbose: Bool = true, _ filter: InspectFilter = InspectFilter()) -> [String]
  {
    var style = PacketInspector.Style()
    style.isVerbose = isVerbose
    let inspector = PacketInspector(filter: filter, style: style, protocols: [])
    return packets.enumerated().flatMap { index, packet -> [String] in
      let text = inspector.lines(record(packet, index + 1), file: 0, at: .zero + .milliseconds(Int64(index) * 10))
      return (text ?? "").split(separator: "\n").map { String($0.drop { $0 == " " }) }
    }
  }

  static func record(_ packet: [UInt8], _ number: Int) -> CaptureRecord {
    CaptureRecord(
      number: number, link: .h4, nanoseconds: 0, originalLength: packet.count,
      body: .hci(adapter: 0, indicator: packet[0], isToHost: packet[0] == 4), octets: packet.dropFirst())
  }

  @Test("A connection has its interval and timeout in milliseconds and seconds, its role and peer in words")
  func connection() {
    let lines = Self.lines([
      [0x04, 0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x01, 0x01, 0x18, 0x12, 0x5E, 0x68, 0xC9, 0x73]
        + [0x18, 0x00, 0x04, 0x00, 0xF4, 0x01, 0x05]
    ])
    for line in [
      "Status: Success (0x00)", "Connection_Handle: 0x0040", "Role: Peripheral (0x01)",
      "Peer_Address: 73:C9:68:5E:12:18 (random, resolvable private)", "Connection_Interval: 30 ms (0x0018)",
      "Peripheral_Latency: 4 (0x0004)", "Supervision_Timeout: 5 s (0x01F4)",
      "Central_Clock_Accuracy: 31 to 50 ppm (0x05)",
    ] { expect(lines.contains(line), "\(line) is not in \(lines)") }
  }

  @Test("A line shows ACL data where no frame is whole, and the ATT PDU alone where one is")
  func fragments() {
    let packets: [[UInt8]] = [
      [0x02, 0x40, 0x00, 0x07, 0x00, 0x04, 0x00, 0x04, 0x00, 0x52, 0x03, 0x00],
      [0x02, 0x40, 0x10, 0x01, 0x00, 0x2A],
    ]
    let lines = Self.lines(packets, isVerbose: false)
    equal(lines.count, 2)
    equal(lines.first?.contains("  ACL data on handle 0x0040, starting a frame, 7 octets"), true, "\(lines)")
    equal(lines.last?.hasSuffix("  ATT_WRITE_CMD 0x0003, 1 octet"), true, "\(lines)")
    equal(lines.last?.contains("ACL"), false)
    expect(Self.lines(packets).contains("ACL data on handle 0x0040, continuing a frame, 1 octet"))
  }

  /// By Bumble 0.0.236 and RootCanal 1.13.0.
  @Test("Isochronous data says its stream, its SDU and its time; what is missing is said")
  func isochronousData() {
    let packets: [[UInt8]] = [
      [0x05, 0x60, 0x60, 0x0A, 0x00, 0xEF, 0xBE, 0xAD, 0xDE, 0x02, 0x01, 0x02, 0x40, 0xAA, 0xBB],
      [0x05, 0x23, 0x01, 0x05, 0x00, 0x03, 0x00, 0xFF, 0x0F, 0xAA], [0x05, 0x60, 0x30, 0x03, 0x00, 0x11, 0x22, 0x33],
      [0x05, 0x60, 0x20, 0x02, 0x00, 0x00, 0x02], [0x05, 0x60, 0x20],
    ]
    let headlines = Self.lines(packets, isVerbose: false)
    equal(headlines.count, packets.count)
    for (headline, expected) in zip(
      headlines,
      [
        "ISO data on handle 0x0060, complete SDU 258, 2 octets, possibly with errors",
        "ISO data on handle 0x0123, first fragment of SDU 3, 1 of 4095 octets",
        "ISO data on handle 0x0060, last fragment, 3 octets", "ISO data on handle 0x0060, complete SDU, 0 octets",
        "isochronous data, 2 octets",
      ])
    { expect(headline.hasSuffix(expected), "\(headline)") }
    let lines = Self.lines(packets)
    for line in [
      "Connection_Handle: 0x0060, PB_Flag: 2 (complete SDU), TS_Flag: 1, Data_Total_Length: 10 octets",
      "Time_Stamp: 3735928559 µs", "Packet_Sequence_Number: 258 (0x0102)",
      "ISO_SDU_Length: 2 octets, possibly with errors (0x4002)", "ISO_SDU_Fragment: aa bb",
      "Connection_Handle: 0x0123, PB_Flag: 0 (first fragment), TS_Flag: 0, Data_Total_Length: 5 octets",
      "ISO_SDU_Length: 4095 octets, valid (0x0FFF)", "ISO_SDU_Fragment: 11 22 33",
      "ISO_SDU_Length: missing, 2 octets wanted",
    ] { expect(lines.contains(line), "\(line) is not in \(lines)") }
  }

  @Test("An advertising report has dBm, and AD structures by name")
  func report() {
    let lines = Self.lines([
      [0x04, 0x3E, 0x19, 0x02, 0x01, 0x00, 0x00, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x0D]
        + [0x02, 0x01, 0x06, 0x03, 0x03, 0x0F, 0x18, 0x05, 0xFF, 0x4C, 0x00, 0x10, 0x05, 0xB5]
    ])
    for line in [
      "Event_Type: ADV_IND (0x00)", "Address: 01:02:03:04:05:06 (public)", "RSSI: -75 dBm",
      "Flags (0x01): LE General Discoverable Mode, BR/EDR Not Supported (0x06)",
      "Complete List of 16-bit Service UUIDs (0x03): 0x180F (Battery)",
      "Manufacturer Specific Data (0xFF): Apple, Inc. (0x004C), 10 05",
    ] { expect(lines.contains(line), "\(line) is not in \(lines)") }
  }

  @Test("Features, PHYs, channel maps and versions have their names")
  func control() {
    let features = ControlFields.lines([0x08, 0x21, 0x01, 0, 0, 0, 0, 0, 0])
    equal(features.dropFirst(), ["  LE Encryption", "  LE Data Packet Length Extension", "  LE 2M PHY"])
    equal(
      ControlFields.lines([0x18, 0x02, 0x00, 0x07, 0x00]),
      [
        "PHY_C_TO_P: LE 2M (0x02)", "PHY_P_TO_C: no change (0x00)", "Instant: 7 (0x0007)",
      ])
    equal(
      ControlFields.lines([0x01, 0xFF, 0x07, 0x00, 0xE0, 0x1F, 0x10, 0x00]).first,
      "ChM: channel index 0-10, 29-36 (19 channels)")
    equal(
      ControlFields.lines([0x0C, 0x09, 0x30, 0x00, 0x26, 0x21]),
      [
        "Version: Bluetooth 5.0 (0x09)", "Company_Identifier: ST Microelectronics (0x0030)",
        "Subversion_Number: 0x2126",
      ])
    equal(ControlFields.lines([0x02, 0x13]), ["ErrorCode: Remote User Terminated Connection (0x13)"])
  }

  @Test("What is missing and what is left over is said, whatever the octets are")
  func damaged() {
    equal(ControlFields.lines([0x14, 0xFB, 0x00, 0x48]).last, "MaxRxTime: missing, 2 octets wanted, there is 48")
    equal(ControlFields.lines([0x02, 0x13, 0xAA]).last, "Further_Octets: aa")
    equal(EventFields.lines(0x13, [0x02, 0x40, 0x00, 0x01, 0x00]).last, "Entries: missing, 1 more")
    var octets: [UInt8] = []
    for length in 0..<80 {
      for code in UInt8.min...UInt8.max {
        _ = ControlFields.lines([code] + octets)
        _ = EventFields.lines(code, octets[...])
        _ = EventFields.lines(0x3E, [code] + octets)
        _ = AdvertisingFields.lines([code] + octets)
        _ = AttributeFields.table.lines(UInt16(code), octets[...])
        _ = SecurityFields.table.lines(UInt16(code), octets[...])
        _ = SignallingFields.lines([code] + octets)
        _ = CommandFields.table.lines(0x2000 | UInt16(code), octets[...])
        _ = CommandFields.returned(0x2000 | UInt16(code), octets[...])
      }
      octets.append(UInt8(truncatingIfNeeded: length &* 37 &+ 11))
    }
  }

  @Test("No line shows how a value is kept: no optional, no case, no type of the program")
  func noDumps() {
    var all: [String] = []
    for code in UInt8.min...UInt8.max {
      let octets = [UInt8](repeating: code, count: 64)
      all += ControlFields.lines([code] + octets) + EventFields.lines(code, octets[...])
      all += EventFields.lines(0x3E, [code] + octets) + AdvertisingFields.lines([code] + octets)
      all +=
        AttributeFields.table.lines(UInt16(code), octets[...]) + SecurityFields.table.lines(UInt16(code), octets[...])
    }
    expect(all.count > 1_000)
    for word in ["Optional(", "CaptureCheck", "BluetoothWire", ".some", "rawValue", "nil"] {
      expect(!all.contains { $0.contains(word) }, "\(word)")
    }
  }
}

@Suite("One exchange among packets")
struct InspectExchangeTests {
  private static func att(_ octets: [UInt8], isToHost: Bool) -> [UInt8] {
    let length = UInt8(octets.count)
    return [0x02, 0x40, isToHost ? 0x20 : 0x00, length + 4, 0x00, length, 0x00, 0x04, 0x00] + octets
  }

  /// A connection; two requests of the host, a notification in the first one; a command with its event.
  private static let packets: [[UInt8]] = [
    [0x04, 0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0xA0, 0xF4, 0xF3, 0xF2, 0xF1, 0xC0]
      + [0x18, 0x00, 0x00, 0x00, 0x90, 0x01, 0x00],
    att([0x0A, 0x03, 0x00], isToHost: false),
    [0x01, 0x05, 0x14, 0x02, 0x40, 0x00],
    att([0x1B, 0x07, 0x00, 0xAA], isToHost: true),
    att([0x0B, 0x2A], isToHost: true),
    [0x04, 0x0E, 0x07, 0x01, 0x05, 0x14, 0x00, 0x40, 0x00, 0xC4],
    att([0x0A, 0x05, 0x00], isToHost: false),
  ]

  private static func records() -> [CaptureRecord] {
    packets.enumerated().map { index, packet in
      CaptureRecord(
        number: index + 1, link: .h4, nanoseconds: 0, originalLength: packet.count,
        body: .hci(
          adapter: 0, indicator: packet[0], isToHost: packet[0] == 4 || packet[0] == 2 && packet[2] & 0x20 != 0),
        octets: packet.dropFirst())
    }
  }

  private static func exchange(_ number: Int) -> InspectExchange? {
    let finder = ExchangeFinder(packet: number)
    for record in records() where !finder.read(record, at: .zero) { break }
    return finder.exchange
  }

  private static func shown(_ filter: InspectFilter, isVerbose: Bool = false) -> [String] {
    var style = PacketInspector.Style()
    style.isVerbose = isVerbose
    let inspector = PacketInspector(filter: filter, style: style, protocols: [])
    return records().compactMap {
      inspector.lines($0, file: 0, at: .zero + .milliseconds(Int64($0.number) * 10))
    }
  }

  @Test("Request and answer lead to the same exchange, and so does what came between")
  func found() {
    for number in [2, 4, 5] { equal(Self.exchange(number)?.packets, 2...5, "packet \(number)") }
    for number in [3, 6] { equal(Self.exchange(number)?.packets, 3...6, "packet \(number)") }
    expect(Self.exchange(1) == nil)
    equal(Self.exchange(7)?.isAnswered, false)
  }

  @Test("Only the packets of its link are shown, a command with its event alone")
  func shown() {
    var filter = InspectFilter()
    filter.exchange = Self.exchange(2)
    equal(Self.shown(filter).count, 3)
    filter.exchange = Self.exchange(6)
    let lines = Self.shown(filter)
    expect(lines.count == 2 && lines.allSatisfy { $0.contains("HCI_Read_RSSI") }, "\(lines)")
  }

  @Test("Who follows an attribute sees the answers, which name their requests")
  func handle() {
    var filter = InspectFilter()
    filter.handle = 3
    equal(Self.shown(filter).count, 2)
    equal(Self.shown(filter, isVerbose: true).last?.contains("[answers packet 2, 30 ms after it]"), true)
  }
}
