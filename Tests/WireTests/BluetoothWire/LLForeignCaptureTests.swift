import BluetoothWire
import Expectations
import Testing

@Suite("Whole air captures that others made", .enabled(if: ForeignCapture.areAvailable))
struct LLForeignCaptureTests {
  /// PDUs whose bits the sniffer marks as good, with the CRC of captures that carry one checked again here.
  @Test(
    "Every good PDU decodes and encodes back to itself",
    arguments: [("01", 0, 1), ("02", 207, 303), ("07", 44, 257), ("08", 1476, 5000), ("11", 0, 1)])
  func everyPDU(capture: String, advertising: Int, data: Int) throws {
    var crcInit: [UInt32: UInt32] = [LL.advertisingAccessAddress: LL.advertisingCRCInit]
    var counted = (advertising: 0, data: 0)
    for packet in try ForeignCapture(capture).packets {
      guard let foreign = ForeignAirPDU(packet) else { continue }
      if let initial = crcInit[foreign.accessAddress], foreign.crc != [0, 0, 0],
        LL.crcOctets(pdu: foreign.pdu, initial: initial) != foreign.crc
      {
        continue
      }
      if foreign.accessAddress == LL.advertisingAccessAddress {
        let pdu = try LL.AdvertisingPDU(decoding: foreign.pdu)
        equal(pdu.octets, foreign.pdu)
        if case .connectInd(let request) = pdu {
          crcInit[request.accessAddress] = request.crcInit
          expect(LL.isValidAccessAddress(request.accessAddress))
        }
        counted.advertising += 1
      } else if let header = try? LL.DataHeader(decoding: foreign.pdu) {
        equal(header.octets, Array(foreign.pdu.prefix(2)))
        if header.llid == .control, header.length > 0 {
          let payload = Array(foreign.pdu.dropFirst(2))
          // Encrypted control PDUs look like any opcode; what decodes must encode back.
          if let pdu = try? LL.ControlPDU(decoding: payload) { equal(pdu.octets, payload) }
        }
        counted.data += 1
      }
    }
    expect(counted.advertising >= advertising)
    expect(counted.data >= data)
  }

  @Test("A sniffer that followed a connection for 1700 events heard it where algorithm #2 says")
  func algorithm2() throws {
    var map: LL.ChannelMap?
    var heard = 0
    for packet in try ForeignCapture("08").packets {
      guard let foreign = ForeignAirPDU(packet) else { continue }
      if case .connectInd(let request)? = try? LL.AdvertisingPDU(decoding: foreign.pdu),
        request.accessAddress == 0xA473_6926
      {
        map = LL.ChannelMap(bits: request.channelMap)
      }
      guard let map, foreign.accessAddress == 0xA473_6926, let event = foreign.eventCounter else { continue }
      let channel = LL.ChannelSelection2.channel(
        eventCounter: event, accessAddress: foreign.accessAddress, map: map)
      equal(foreign.rfChannel, LL.rfChannel(dataChannelIndex: channel))
      heard += 1
    }
    expect(heard > 5000)
  }
}
