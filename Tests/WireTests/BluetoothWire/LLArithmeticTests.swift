import BluetoothWire
import Expectations
import Testing

@Suite("CRC and whitening (Core Vol 6, Part B, 3)")
struct LLBitStreamTests {
  @Test(
    "CRCs that sniffers took from the air",
    arguments: [
      // Shared capture 07, frames 1, 44 (advertising), 48, 55, 45 (connection, CRCInit from frame 44).
      ("402116234282437d02011a030311181309416c657274204e6f74696669636174696f6e", UInt32(0x555555), "e5b902"),
      ("8522f43e7370f35c16234282437d274a65505dd42e032600360000002a00ffffffff1fa5", 0x555555, "ec7ca4"),
      ("0b060c080f000766", 0x2ED45D, "6de7fb"),
      ("07060c060f000e22", 0x2ED45D, "afbb68"),
      // Shared capture 08, frames 1 (another sniffer), 1635, 1780.
      ("20153685e179cf58020106080947726f75702d41020a09", 0x555555, "8847cd"),
      ("17060c09e5021600", 0xD7412D, "85e31c"),
      ("0f180f240024000000f40100410006000700080009000a000b00", 0xD7412D, "2c44d1"),
    ])
  func crc(pdu: String, initial: UInt32, expected: String) {
    let pdu = [UInt8].hex(pdu)
    equal(LL.crcOctets(pdu: pdu, initial: initial), [UInt8].hex(expected))
    for damaged in Octets.damaged(pdu) where damaged != pdu {
      expect(LL.crcOctets(pdu: damaged, initial: initial) != [UInt8].hex(expected))
    }
  }
}

@Suite("Channels and air time (Core Vol 6, Part B, 1.4.1 and 2.1)")
struct LLChannelTests {
  @Test("Channel indices and RF channels are one to one, advertising at 2402, 2426 and 2480 MHz")
  func rfChannels() {
    let rf = (UInt8(0)..<40).map { LL.rfChannel(dataChannelIndex: $0) }
    equal(rf.sorted(), Array(0..<40))
    equal([0, 10, 11, 36, 37, 38, 39].map { rf[$0] }, [1, 11, 13, 38, 0, 12, 39])
    for index in UInt8(0)..<40 { equal(LL.channelIndex(rfChannel: rf[Int(index)]), index) }
  }

  @Test("Air times are those that the specification names")
  func airTimes() {
    // 4.5.10: 27 octets take 328 µs with MIC; here without: 296. An empty PDU takes 80 µs on 1M and 44 on 2M.
    equal(LL.airTime(payloadLength: 0, phy: .le1M), 80_000)
    equal(LL.airTime(payloadLength: 0, phy: .le2M), 44_000)
    equal(LL.airTime(payloadLength: 27 + 4, phy: .le1M), 328_000)
    equal(LL.airTime(payloadLength: 251 + 4, phy: .le1M), 2_120_000)
    equal(LL.airTime(payloadLength: 251 + 4, phy: .le2M), 1_064_000)
    equal(LL.airTime(payloadLength: 34, phy: .le1M), 352_000)
    // 4.5.10 names 2704 and 17 040 µs for 27 and 251 octets with MIC on LE Coded; an empty PDU takes 720 µs there.
    equal(LL.airTime(payloadLength: 0, phy: .codedS8), 720_000)
    equal(LL.airTime(payloadLength: 27 + 4, phy: .codedS8), 2_704_000)
    equal(LL.airTime(payloadLength: 251 + 4, phy: .codedS8), 17_040_000)
    equal(LL.airTime(payloadLength: 0, phy: .codedS2), 462_000)
    equal(LL.airTime(payloadLength: 27 + 4, phy: .codedS2), 958_000)
    equal(LL.airTime(payloadLength: 251 + 4, phy: .codedS2), 4_542_000)
  }

  @Test("Access addresses of real connections are valid, and each rule refuses one")
  func accessAddresses() {
    for address: UInt32 in [0xC658_936D, 0x5065_4A27, 0xA473_6926, 0x9A32_8370] {
      expect(LL.isValidAccessAddress(address))
    }
    expect(!LL.isValidAccessAddress(LL.advertisingAccessAddress))
    for bit in UInt32(0)..<32 { expect(!LL.isValidAccessAddress(LL.advertisingAccessAddress ^ 1 << bit)) }
    expect(!LL.isValidAccessAddress(0x5A5A_5A5A), "four equal octets")
    expect(!LL.isValidAccessAddress(0xC658_01FD & 0xFFFF_80FF | 0x80), "seven zeros")
    expect(!LL.isValidAccessAddress(0x5065_7F27), "seven ones")
    expect(LL.isValidAccessAddress(0x5065_3F27 & 0xFFFF_7FFF), "six ones")
    expect(!LL.isValidAccessAddress(0x5555_5544), "more than 24 transitions")
    expect(!LL.isValidAccessAddress(0x0F65_4A27), "one transition in the six most significant bits")
    expect(!LL.isValidAccessAddress(0x0000_0000))
    expect(!LL.isValidAccessAddress(0xFFFF_FFFF))
  }
}

@Suite("Channel selection (Core Vol 6, Part B, 4.5.8)")
struct LLChannelSelectionTests {
  @Test("Algorithm #2 gives the sample data of Vol 6, Part C, 3.1: all channels")
  func sampleDataAll() {
    let aa = LL.advertisingAccessAddress
    equal(
      (0...3).map { LL.ChannelSelection2.random(eventCounter: $0, accessAddress: aa) }, [56857, 1685, 38301, 27475])
    equal(
      (0...3).map { LL.ChannelSelection2.channel(eventCounter: $0, accessAddress: aa, map: .all) }, [25, 20, 6, 21])
  }

  @Test("Algorithm #2 gives the sample data of Vol 6, Part C, 3.2: nine channels")
  func sampleDataNine() {
    let map = LL.ChannelMap(bits: [9, 10, 21, 22, 23, 33, 34, 35, 36].reduce(0) { $0 | 1 << UInt64($1) })
    let aa = LL.advertisingAccessAddress
    equal((6...8).map { LL.ChannelSelection2.random(eventCounter: $0, accessAddress: aa) }, [10975, 5490, 46970])
    equal(
      (6...8).map { LL.ChannelSelection2.channel(eventCounter: $0, accessAddress: aa, map: map) }, [23, 9, 34])
  }

  /// Vol 6, Part C, 3.1 and 3.2, as a unit test of Zephyr's controller (`lll_chan.c`) has them.
  @Test("Subevents of an isochronous event have the channels of the sample data of Vol 6, Part C, 3")
  func subevents() {
    func channels(_ event: UInt16, _ map: LL.ChannelMap) -> [UInt8] {
      var subevents = LL.ChannelSelection2.Subevents(
        eventCounter: event, accessAddress: LL.advertisingAccessAddress, map: map)
      var channels = [subevents.channel]
      for _ in 0..<3 {
        subevents.next()
        channels.append(subevents.channel)
      }
      return channels
    }
    let nine = LL.ChannelMap(bits: [9, 10, 21, 22, 23, 33, 34, 35, 36].reduce(0) { $0 | 1 << UInt64($1) })
    equal((0...3).map { channels($0, .all) }, [[25, 1, 16, 36], [20, 36, 12, 34], [6, 18, 32, 21], [21, 4, 22, 8]])
    equal((6...8).map { channels($0, nine) }, [[23, 35, 21, 36], [9, 22, 36, 33], [34, 9, 33, 10]])
    equal(channels(11, LL.ChannelMap(bits: 0b110)), [1, 2, 1, 2])
    equal(channels(3, LL.ChannelMap(bits: 0)).count, 4)
  }

  /// Shared capture 08: first events of the connection 0xA4736926 as a Nordic sniffer followed it.
  @Test("Algorithm #2 gives the channels of a real connection")
  func algorithm2OnAir() {
    let channels: [UInt8] = [
      15, 10, 33, 15, 29, 33, 15, 18, 31, 31, 18, 13, 14, 30, 2, 28, 4, 21, 6, 20, 27,
    ]
    for (event, channel) in channels.enumerated() {
      equal(
        LL.ChannelSelection2.channel(eventCounter: UInt16(event), accessAddress: 0xA473_6926, map: .all), channel)
    }
  }

  /// Shared capture 02, frames 208 … 247: interval 45 ms, hop 10, channels 9 … 36; microseconds since the first event.
  @Test("Algorithm #1 gives the RF channels of a real connection, remapped ones and missed events included")
  func algorithm1OnAir() {
    let heard: [(microseconds: Int, rfChannel: UInt8)] = [
      (0, 11), (44_694, 22), (179_687, 15), (224_684, 25), (269_682, 35), (314_679, 17), (359_677, 18),
      (404_674, 28), (449_672, 38), (494_669, 10), (539_667, 21), (584_664, 31), (629_662, 13), (674_660, 14),
      (809_652, 16), (899_647, 27), (944_645, 37), (989_642, 19), (1_034_639, 20), (1_079_637, 30),
    ]
    let map = LL.ChannelMap(bits: 0x1F_FFFF_FE00)
    var selection = LL.ChannelSelection1(hopIncrement: 10)
    var last = -1
    for (microseconds, rfChannel) in heard {
      let event = (microseconds + 22_500) / 45_000
      equal(LL.rfChannel(dataChannelIndex: selection.next(map: map, by: event - last)), rfChannel)
      last = event
    }
  }

  @Test("A jump over events is the same as stepping through them")
  func jumps() {
    let map = LL.ChannelMap(bits: 0x15_5555_0F03)
    var stepping = LL.ChannelSelection1(hopIncrement: 13)
    for events in 1...200 {
      var jumping = LL.ChannelSelection1(hopIncrement: 13)
      equal(jumping.next(map: map, by: events), stepping.next(map: map))
      equal(jumping, stepping)
    }
    var far = LL.ChannelSelection1(hopIncrement: 16)
    equal(far.next(map: .all, by: Int.max), UInt8(16 * (Int.max % 37) % 37))
  }

  @Test("A channel map keeps its channels in order; unusable maps are known as such and trap nothing")
  func channelMaps() {
    equal(LL.ChannelMap.all.count, 37)
    equal((0..<37).map { LL.ChannelMap.all.channel(at: $0) }, Array(0..<37))
    equal(LL.ChannelMap(bits: .max), .all)
    for bits: UInt64 in [0, 1, 1 << 36, 0x3, 0x10_0000_0001, 0x0A_BCDE_F012] {
      let map = LL.ChannelMap(bits: bits)
      let channels = (UInt8(0)..<37).filter { bits >> UInt64($0) & 1 != 0 }
      equal(Int(map.count), channels.count)
      equal((0..<map.count).map { map.channel(at: $0) }, channels)
      equal(map.isUsable, (channels.count >= 2))
      equal((UInt8(0)..<64).filter { map.contains($0) }, channels)
      for event in UInt16(0)..<500 {
        let channel = LL.ChannelSelection2.channel(eventCounter: event, accessAddress: 0x5065_4A27, map: map)
        expect(channels.isEmpty || channels.contains(channel))
      }
    }
  }
}
