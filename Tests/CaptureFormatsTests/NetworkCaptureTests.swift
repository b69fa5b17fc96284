import CaptureFormats
import Expectations
import Testing

@Suite("Captures of networks")
struct NetworkCaptureTests {
  /// A conversation of two programs on one machine: "world", answered by "hello world". Written by dumpcap 4.0.17 on
  /// Linux 6.18, interface lo: section, interface, six packets.
  static let loopback = [UInt8].hex(
    """
    0a0d0d0aa40000004d3c2b1a01000000ffffffffffffffff02001600414d44204550594320287769746820535345342e3229000003
    0015004c696e757820362e31382e34342d66632d763738320000000400450044756d70636170202857697265736861726b2920342e
    302e313720284769742076342e302e3137207061636b6167656420617320342e302e31372d302b6465623132753329000000000000
    00a4000000
    01000000640000000100000000000400020002006c6f0000030008004c6f6f706261636b09000100090000000b000e000074637020
    706f7274203535353500000c0015004c696e757820362e31382e34342d66632d763738320000000000000064000000
    060000006c00000000000000e12beb18299b35294a0000004a00000000000000000000000000000008004500003c9aac40004006a2
    0d7f0000017f000001b5dc15b3e4374c9700000000a002ffd7fe3000000204ffd70402080aa9ee41ac000000000103030a00006c00
    0000
    060000006c00000000000000e12beb1853dc35294a0000004a00000000000000000000000000000008004500003c0000400040063c
    ba7f0000017f00000115b3b5dcdec95d47e4374c98a012ffcbfe3000000204ffd70402080a8ccbb9caa9ee41ac0103030a00006c00
    0000
    060000006400000000000000e12beb187c1d362942000000420000000000000000000000000000000800450000349aad40004006a2
    147f0000017f000001b5dc15b3e4374c98dec95d4880100040fe2800000101080aa9ee41ac8ccbb9ca000064000000
    060000006800000000000000e12beb185679362947000000470000000000000000000000000000000800450000399aae40004006a2
    0e7f0000017f000001b5dc15b3e4374c98dec95d4880180040fe2d00000101080aa9ee41ac8ccbb9ca776f726c640068000000
    060000006400000000000000e12beb18be8e36294200000042000000000000000000000000000000080045000034a53d4000400697
    847f0000017f00000115b3b5dcdec95d48e4374c9d80100040fe2800000101080a8ccbb9caa9ee41ac000064000000
    060000007000000000000000e12beb1853c750294d0000004d00000000000000000000000000000008004500003fa53e4000400697
    787f0000017f00000115b3b5dcdec95d48e4374c9d80180040fe3300000101080a8ccbb9cca9ee41ac68656c6c6f20776f726c6400
    000070000000
    """)

  /// Another one over IPv6, interface any (LINKTYPE 276), of which this is the packet that carries "world".
  private static let cooked2 = [UInt8].hex(
    """
    0a0d0d0aa40000004d3c2b1a01000000ffffffffffffffff02001600414d44204550594320287769746820535345342e3229000003
    0015004c696e757820362e31382e34342d66632d763738320000000400450044756d70636170202857697265736861726b2920342e
    302e313720284769742076342e302e3137207061636b6167656420617320342e302e31372d302b6465623132753329000000000000
    00a4000000
    0100000058000000140100000000040002000300616e790009000100090000000b000e000074637020706f7274203535353600000c
    0015004c696e757820362e31382e34342d66632d763738320000000000000058000000
    060000008400000000000000e12beb188d292cf0610000006100000086dd000000000001030400060000000000000000600228ce00
    2506400000000000000000000000000000000100000000000000000000000000000001defa15b40475439bca9c5d4b80180040002d
    00000101080ad9f00e076913e078776f726c6400000084000000
    """)

  /// Another one over IPv4, interface any (LINKTYPE 113) with a snap length of 68, as pcap: header and the packet that
  /// carries "world".
  private static let cooked = [UInt8].hex(
    """
    d4c3b2a10200040000000000000000004400000071000000
    2955066b68c6010044000000490000000000030400060000000000000000080045000039b5964000400687267f0000017f000001b5
    5615b52ba75babf2e9d3c380180040fe2d00000101080a85607292a28e3ef4
    """)

  @Test("Frames of Ethernet that dumpcap wrote read as tshark reads them")
  func ethernet() throws {
    let file = try ReadFile(Self.loopback)
    // tshark: frame.time_epoch, frame.len.
    equal(
      file.records.map(\.nanoseconds),
      [
        1_795_577_122_496_289_577, 1_795_577_122_496_306_259, 1_795_577_122_496_322_940, 1_795_577_122_496_346_454,
        1_795_577_122_496_351_934, 1_795_577_122_498_070_355,
      ])
    equal(file.records.map(\.octets.count), [74, 74, 66, 71, 66, 77])
    for record in file.records {
      expect(record.link == .ethernet && !record.isSnapped && record.originalLength == record.octets.count)
      equal(record.body, .network(NetworkHeader(isOutgoing: nil, interfaceName: "lo")))
    }
    expect(file.records[3].octets.suffix(5).elementsEqual("world".utf8))
  }

  @Test("Linux's headers of version 1 and 2 tell the direction, and a packet that was cut is still one of a network")
  func cookedPackets() throws {
    let second = try ReadFile(Self.cooked2).records[0]
    equal(second.link, .linuxCooked2)
    equal(second.body, .network(NetworkHeader(isOutgoing: false, interfaceName: "any")))
    expect(second.octets.count == 97 && second.octets.suffix(5).elementsEqual("world".utf8))
    let first = try ReadFile(Self.cooked).records[0]
    expect(first.link == .linuxCooked && first.body == .network(NetworkHeader(isOutgoing: false)))
    expect(first.isSnapped && first.octets.count == 68 && first.originalLength == 73)
    equal(first.nanoseconds, 1_795_577_129_116_328_000)
    for (type, isOutgoing) in [(0, false), (1, false), (2, false), (3, nil), (4, true)] as [(UInt8, Bool?)] {
      var file = Self.cooked
      file[24 + 16 + 1] = type
      try equal(ReadFile(file).records[0].body, .network(NetworkHeader(isOutgoing: isOutgoing)))
    }
  }

  /// A file of pcap with one record.
  private func record(_ linkType: UInt8, _ octets: [UInt8]) throws -> CaptureRecord {
    let count = UInt8(octets.count)
    let file =
      [UInt8].hex("d4c3b2a1 0200 0400 0000000000000000 00000400") + [linkType, 0, 0, 0]
      + [UInt8].hex("00000000 00000000") + [count, 0, 0, 0, count, 0, 0, 0] + octets
    return try ReadFile(file).records[0]
  }

  @Test("Links of networks are told apart by their numbers, and a record shorter than its header is said")
  func links() throws {
    let links: [(UInt8, CaptureLink, Int)] = [
      (0, .null, 4), (1, .ethernet, 14), (101, .rawIP, 1), (108, .loop, 4), (113, .linuxCooked, 16),
    ]
    for (number, link, least) in links {
      let whole = try record(number, [UInt8](repeating: 5, count: least))
      expect(whole.link == link && whole.body == .network(NetworkHeader(isOutgoing: nil)))
      equal(whole.octets.count, least)
      try equal(record(number, [UInt8](repeating: 5, count: least - 1)).body, .opaque(.tooShort))
    }
    // The same number in btsnoop is no Ethernet.
    let snoop = [UInt8].hex(
      "6274736e6f6f7000 00000001 00000001 00000002 00000002 00000000 00000000 0000000000000000 aabb")
    let foreign = try ReadFile(snoop).records[0]
    expect(foreign.link == .other(1) && foreign.body == .opaque(.foreignLink))
  }

  @Test(
    "A direction in pcapng's flags goes before that of the link's header", arguments: [CaptureFormat.pcapng, .pcap])
  func roundTrip(_ format: CaptureFormat) throws {
    let links: [CaptureLink] = [.ethernet, .linuxCooked, .linuxCooked2, .rawIP, .null, .loop]
    for link in links {
      for isOutgoing in [nil, false, true] as [Bool?] {
        for type in [UInt8(3), 4] {
          let octets = [UInt8](repeating: 0, count: 10) + [type] + [UInt8](repeating: 7, count: 30)
          var record = CaptureRecord(
            number: 1, link: link, nanoseconds: 5, originalLength: 60,
            body: .network(NetworkHeader(isOutgoing: isOutgoing, interfaceName: "en0")), octets: octets[...])
          let written = CaptureWriter.file([record], format)
          expect(written.mismatches.isEmpty)
          let back = try ReadFile(written.octets).plain
          // Only pcapng names interfaces and has flags; what the header of the link says is all that is left else.
          let ofLink: Bool? = link == .linuxCooked ? false : link == .linuxCooked2 && type == 4 ? true : nil
          let expected = format == .pcapng ? isOutgoing ?? ofLink : ofLink
          record.body = .network(
            NetworkHeader(isOutgoing: expected, interfaceName: format == .pcapng ? "en0" : nil))
          equal(back, [record], "\(link) \(String(describing: isOutgoing)) \(type)")
          expect(back[0].isSnapped)
        }
      }
    }
  }

  @Test("Frames of several devices go into one pcapng, an interface for each name")
  func interfaces() throws {
    let frame = Array(try ReadFile(Self.loopback).records[3].octets)
    let start = CaptureEpoch.unixSeconds * 1_000_000_000
    let records = [("Anna wifi", true), ("Ben wifi", false), ("Anna wifi", false), ("Ben awdl", true)].enumerated().map
    {
      CaptureRecord(
        ethernet: frame, interfaceName: $0.element.0, isOutgoing: $0.element.1, nanoseconds: Int64($0.offset),
        number: $0.offset + 1, comments: $0.offset == 2 ? ["lost on the way"] : [])
    }
    let written = CaptureWriter.file(records, .pcapng)
    expect(written.mismatches.isEmpty)
    let back = try ReadFile(written.octets).plain
    equal(back.map(\.interface), [0, 1, 0, 2])
    equal(back.map(\.body), records.map(\.body))
    equal(back.map(\.nanoseconds), [start, start + 1, start + 2, start + 3])
    expect(back.allSatisfy { $0.octets == frame[...] && $0.link == .ethernet })
    equal(back[2].comments, ["lost on the way"])
  }

  @Test(
    "tshark reads our interfaces, directions and packets", .enabled(if: Wireshark.isThere))
  func wireshark() throws {
    let source = try ReadFile(Self.loopback).records
    let records = source.map { record in
      CaptureRecord(
        ethernet: Array(record.octets), interfaceName: record.number % 2 == 0 ? "Ben wifi" : "Anna wifi",
        isOutgoing: record.number < 4, nanoseconds: Int64(record.number), number: record.number)
    }
    let file = try TemporaryFile(CaptureWriter.file(records, .pcapng).octets, "pcapng")
    let fields = ["frame.interface_name", "frame.packet_flags_direction", "frame.protocols", "frame.len"]
    let lines = try Wireshark.run(
      Wireshark.tshark, ["-r", file.path, "-T", "fields"] + fields.flatMap { ["-e", $0] })
    let seen = lines.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    equal(seen.map { $0[0] }, ["Anna wifi", "Ben wifi", "Anna wifi", "Ben wifi", "Anna wifi", "Ben wifi"])
    // Versions write 1 or 0x00000001.
    equal(seen.map { $0[1].suffix(1) }, ["2", "2", "2", "1", "1", "1"])
    expect(seen.allSatisfy { $0[2].hasPrefix("eth:ethertype:ip:tcp") })
    equal(seen.map { $0[3] }, ["74", "74", "66", "71", "66", "77"])
  }

  @Test("Formats of Bluetooth alone refuse a packet of a network in one line, and links of networks those of Bluetooth")
  func refusals() throws {
    let frame = try ReadFile(Self.loopback).records[0]
    equal(
      CaptureWriter.file([frame], .btsnoop).mismatches.map(\.description),
      [
        "a packet of a network has no place in btsnoop, which holds HCI packets"
      ])
    equal(
      CaptureWriter.file([frame], .packetLogger).mismatches.map(\.description),
      [
        "a packet of ethernet has no place in pklg"
      ])
    equal(
      CaptureWriter.file([frame], .pcap, .rawIP).mismatches.map(\.description),
      [
        "a packet of ethernet has no place in raw-ip"
      ])
    let event = CaptureRecord(
      number: 1, link: .h4, nanoseconds: 0, originalLength: 3, body: .hci(adapter: 0, indicator: 4, isToHost: true),
      octets: [1, 2, 3])
    equal(
      CaptureWriter.file([event], .pcap, .ethernet).mismatches.map(\.description),
      [
        "an HCI packet has no place in ethernet, which holds packets of networks"
      ])
  }
}
