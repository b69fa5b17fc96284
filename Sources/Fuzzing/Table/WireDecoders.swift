import BluetoothWire
import SimKernel

/// PDUs of the air, of L2CAP and of ATT.
extension FuzzedDecoder {
  static func wire(
    _ name: String, _ title: String, in file: String, limit: Int, of module: String = "BluetoothWire",
    draw: @escaping @Sendable (inout RandomStream) -> [UInt8],
    _ decode: @escaping @Sendable ([UInt8]) throws(WireError) -> (kind: UInt64, octets: [UInt8]?)
  ) -> FuzzedDecoder {
    let answer: @Sendable ([UInt8]) -> Answer = { input in
      do throws(WireError) {
        let (kind, octets) = try decode(input)
        return .accepted(kind: kind, canonical: octets)
      } catch {
        return .refused(reason: error.reason.rawValue, offset: error.offset)
      }
    }
    return FuzzedDecoder(
      name, title, in: ["Sources/\(module)/" + file], limit: limit,
      valid: { $0.accepted(by: answer, draw) }, decode: answer)
  }

  /// A first octet that counts the rest.
  private static func counted(_ stream: inout RandomStream, _ front: [UInt8], below bound: Int) -> [UInt8] {
    let count = stream.number(below: bound)
    return front + [UInt8(count)] + stream.octets(count)
  }

  /// A PDU with the Common Extended Advertising Payload Format: any fields, and what they need.
  private static func extendedPDU(_ stream: inout RandomStream) -> [UInt8] {
    let flags = UInt8(stream.number(below: 128))
    var header = [flags]
    for (bit, count) in [6, 6, 1, 2, 3, 18, 1].enumerated() where flags >> UInt8(bit) & 1 != 0 {
      let pointer = [UInt8(stream.number(below: 37)), 1, UInt8(stream.number(below: 3)) << 5]
      header += bit == 4 ? pointer : stream.octets(count)
    }
    header += stream.octets(stream.number(below: 4))
    let mode = UInt8(stream.number(below: 3)) << 6
    let payload = [UInt8(header.count) | mode] + header + stream.octets(stream.number(below: 40))
    return [UInt8(7 + stream.number(below: 2)) | UInt8(stream.number(below: 16)) << 4, UInt8(payload.count)] + payload
  }

  /// A Security Manager PDU of any code.
  private static func securityPDU(_ stream: inout RandomStream) -> [UInt8] {
    let code = UInt8(1 + stream.number(below: 14))
    return [code] + stream.octets((SMP.PDU.length(of: code) ?? 1) - 1)
  }

  /// An HCI ISO Data packet with any boundary; its bits that are reserved are zero.
  private static func isoData(_ stream: inout RandomStream) -> [UInt8] {
    let boundary = UInt8(stream.number(below: 4))
    let beginsSDU = boundary & 1 == 0
    let isStamped = beginsSDU && stream.number(below: 2) == 0
    var rest = stream.octets(isStamped ? 4 : 0)
    if beginsSDU { rest += stream.octets(3) + [UInt8(stream.number(below: 16)) | UInt8(stream.number(below: 4)) << 6] }
    rest += stream.octets(stream.number(below: 40))
    let flags = UInt8(stream.number(below: 15)) | boundary << 4 | (isStamped ? 0x40 : 0)
    return [HCI.PacketIndicator.isochronousData, UInt8(stream.number(below: 256)), flags, UInt8(rest.count), 0] + rest
  }

  /// Octets of the LE signalling commands after their length (Core v5.4, Vol 3, Part A, 4), and whether there may be
  /// fewer and more.
  private static let signalForms: [(code: UInt8, octets: Int, isOpen: Bool)] = [
    (0x01, 0, true), (0x06, 4, false), (0x07, 4, false), (0x12, 8, false), (0x13, 2, false), (0x14, 10, false),
    (0x15, 10, false), (0x16, 4, false), (0x17, 0, true), (0x18, 0, true), (0x19, 0, true), (0x1A, 2, false),
  ]

  /// What an L2CAP frame of a fixed channel may carry.
  private static func frame(_ stream: inout RandomStream) -> (channel: UInt8, octets: [UInt8]) {
    let channel = UInt8(4 + stream.number(below: 3))
    if channel == 6 { return (channel, securityPDU(&stream)) }
    if channel == 5 {
      let form = signalForms[stream.number(below: signalForms.count)]
      let count = form.isOpen ? 2 * stream.number(below: 10) : form.octets
      return (channel, [form.code, 1, UInt8(count), 0] + stream.octets(count))
    }
    return (channel, attributePDU(&stream))
  }

  /// Parameters of ATT PDUs of which nothing may be missing, by opcode (Core v5.4, Vol 3, Part F, 3.4): how many octets
  /// come first, and whether more may follow.
  private static let attributeParameters: [(opcode: UInt8, octets: Int, isOpen: Bool)] = [
    (0x01, 4, false), (0x02, 2, false), (0x03, 2, false), (0x04, 4, false), (0x06, 6, true), (0x08, 6, false),
    (0x08, 20, false), (0x0A, 2, false), (0x0B, 0, true), (0x0C, 4, false), (0x0D, 0, true), (0x0E, 4, false),
    (0x10, 6, false), (0x12, 2, true), (0x13, 0, false), (0x16, 4, true), (0x17, 4, true), (0x19, 0, false),
    (0x1B, 2, true), (0x1D, 2, true), (0x1E, 0, false), (0x52, 2, true),
  ]

  /// An ATT PDU: of known parameters, an Execute Write Request, or of any octets. Handles are low, as a rule.
  private static func attributePDU(_ stream: inout RandomStream) -> [UInt8] {
    if stream.below(4) == 0 { return [UInt8(stream.number(below: 0x24))] + stream.octets(stream.number(below: 24)) }
    if stream.below(16) == 0 { return [0x18, UInt8(stream.below(2))] }
    let form = attributeParameters[stream.number(below: attributeParameters.count)]
    var parameters = stream.octets(form.octets + (form.isOpen ? stream.number(below: 24) : 0))
    if form.octets >= 2, stream.below(4) > 0 { parameters.replaceSubrange(0..<2, with: [parameters[0] & 0x1F, 0]) }
    return [form.opcode] + parameters
  }

  static let pdus: [FuzzedDecoder] = [
    wire("ll-advertising", "PDUs of the advertising channels", in: "LL/LL+AdvertisingPDU.swift", limit: 300) { stream in
      let header = UInt8(stream.number(below: 8)) | UInt8(stream.number(below: 16)) << 4
      return counted(&stream, [header], below: 38)
    } _: { input throws(WireError) in
      let pdu = try LL.AdvertisingPDU(decoding: input)
      return (UInt64(input[0] & 0x0F), pdu.octets)
    },
    wire("ll-extended", "PDUs of extended advertising", in: "LL/LL+ExtendedPDU.swift", limit: 300) { stream in
      extendedPDU(&stream)
    } _: { input throws(WireError) in
      let pdu = try LL.ExtendedPDU(decoding: input)
      // Whatever it is taken for, a receiver decodes it or refuses it.
      var kinds: UInt64 = 0
      for kind in LL.ExtendedPDU.Kind.allCases where (try? LL.ExtendedPDU(decoding: input, as: kind)) != nil {
        kinds |= 1 << UInt64(kind.rawValue)
      }
      return (UInt64(input[0] & 0x0F) << 8 | kinds, pdu.octets)
    },
    wire("ll-connect", "CONNECT_IND", in: "LL/LL+ConnectInd.swift", limit: 64) { stream in
      [0x05, 34] + stream.octets(34)
    } _: { input throws(WireError) in
      (0, try LL.ConnectInd(decoding: input).octets)
    },
    wire("ll-data-header", "headers of data PDUs", in: "LL/LL+DataHeader.swift", limit: 300) { stream in
      counted(&stream, [UInt8(stream.number(below: 32))], below: 252)
    } _: { input throws(WireError) in
      let header = try LL.DataHeader(decoding: input)
      return (UInt64(header.llid.rawValue), header.octets + input.dropFirst(2))
    },
    wire("ll-control", "LL control PDUs", in: "LL/LL+ControlPDUOctets.swift", limit: 300) { stream in
      let opcode = UInt8(stream.number(below: 0x30))
      let length = stream.below(2) == 0 ? LL.ControlOpcode.dataLength(opcode) : nil
      return [opcode] + stream.octets(length ?? stream.number(below: 27))
    } _: { input throws(WireError) in
      let pdu = try LL.ControlPDU(decoding: input)
      return (UInt64(pdu.opcode), pdu.octets)
    },
    wire("l2cap", "L2CAP frames", in: "L2CAP/L2CAP.swift", limit: 600) { stream in
      let payload = frame(&stream)
      return [UInt8(payload.octets.count), 0, payload.channel, 0] + payload.octets
    } _: { input throws(WireError) in
      let frame = try L2CAP.Frame(decoding: input)
      // What is on a fixed channel begins with its opcode or code.
      let isFixed = (4...6).contains(frame.channel.rawValue)
      return (UInt64(frame.channel.rawValue) << 8 | (isFixed ? UInt64(frame.payload.first ?? 0) : 0), frame.octets)
    },
    wire("l2cap-signal", "commands of the L2CAP signalling channel", in: "L2CAP/L2CAP+Signal.swift", limit: 600) {
      stream in
      let count = stream.number(below: 16)
      return [[0x01, 0x12, 0x13, 0x14][stream.number(below: 4)], 1, UInt8(count), 0] + stream.octets(count)
    } _: { input throws(WireError) in
      (UInt64(input.first ?? 0), try L2CAP.Signal(decoding: input).octets)
    },
    wire("smp", "PDUs of the Security Manager", in: "SMP/SMP+PDUOctets.swift", limit: 100) { stream in
      securityPDU(&stream)
    } _: { input throws(WireError) in
      let pdu = try SMP.PDU(decoding: input)
      return (UInt64(pdu.code), pdu.octets)
    },
    wire("att", "ATT PDUs", in: "ATT/ATT+PDUOctets.swift", limit: 600) { stream in
      attributePDU(&stream)
    } _: { input throws(WireError) in
      let pdu = try ATT.PDU(decoding: input)
      return (UInt64(pdu.opcode.rawValue), pdu.octets)
    },
    wire("ad", "advertising data", in: "GAP/ADStructure.swift", limit: 300) { stream in
      var octets: [UInt8] = []
      for _ in 0..<stream.number(below: 5) {
        let data = stream.octets(stream.number(below: 18))
        octets += [UInt8(data.count + 1), UInt8(stream.number(below: 12))] + data
      }
      return octets
    } _: { input throws(WireError) in
      let list = try ADStructure.list(decoding: input)
      return (UInt64(list.count), ADStructure.octets(list))
    },
    wire("uuid", "UUIDs of 2, 4 and 16 octets", in: "GATT/BluetoothUUID+Octets.swift", limit: 32) { stream in
      stream.octets([2, 16][stream.number(below: 2)])
    } _: { input throws(WireError) in
      (0, try BluetoothUUID(decoding: input).octets)
    },
  ]

  static let hci: [FuzzedDecoder] = [
    wire("hci-command", "HCI commands", in: "HCI/HCI+CommandOctets.swift", limit: 300) { stream in
      let group = [0x01, 0x03, 0x04, 0x05, 0x08, 0x08, 0x08][stream.number(below: 7)]
      return counted(&stream, [0x01, UInt8(stream.number(below: 0x80)), UInt8(group << 2)], below: 40)
    } _: { input throws(WireError) in
      let command = try HCI.Command(decoding: input)
      return (UInt64(command.opcode.rawValue), command.h4Octets)
    },
    wire("hci-event", "HCI events", in: "HCI/HCI+EventOctets.swift", limit: 300) { stream in
      if stream.number(below: 2) == 0 { return counted(&stream, [0x04, UInt8(stream.number(below: 0x60))], below: 24) }
      let data = stream.octets(stream.number(below: 32))
      return [0x04, 0x3E, UInt8(data.count + 1), UInt8(1 + stream.number(below: 0x14))] + data
    } _: { input throws(WireError) in
      let event = try HCI.Event(decoding: input)
      // LE Meta events (3E) are told apart by their subevents.
      return (UInt64(input[1]) << 8 | (input[1] == 0x3E ? UInt64(input[3]) : 0), event.h4Octets)
    },
    wire("hci-acl", "HCI ACL data packets", in: "HCI/HCI+ACLOctets.swift", limit: 600) { stream in
      let count = stream.number(below: 64)
      return [0x02, UInt8(stream.number(below: 256)), UInt8(stream.number(below: 48)), UInt8(count), 0]
        + stream.octets(count)
    } _: { input throws(WireError) in
      let data = try HCI.ACLData(decoding: input)
      return (UInt64(data.boundary.rawValue), data.h4Octets)
    },
    wire("hci-iso", "HCI ISO data packets", in: "HCI/HCI+ISOOctets.swift", limit: 600) { stream in
      isoData(&stream)
    } _: { input throws(WireError) in
      let data = try HCI.ISOData(decoding: input)
      return (UInt64(data.boundary.rawValue) << 1 | (data.head?.timeStamp == nil ? 0 : 1), data.h4Octets)
    },
    wire("hci-to-controller", "H4 packets of a host", in: "HCI/HCI+PacketIndicator.swift", limit: 600) { stream in
      if stream.number(below: 4) == 0 { return isoData(&stream) }
      return counted(&stream, [0x01, UInt8(stream.number(below: 0x70)), 0x20], below: 40)
    } _: { input throws(WireError) in
      let octets = try HCI.ToController(decoding: input).h4Octets
      // Commands are told apart by their opcodes.
      let opcode = input[0] == HCI.PacketIndicator.command ? UInt64(input[1]) << 8 | UInt64(input[2]) << 16 : 0
      return (UInt64(input[0]) | opcode, octets)
    },
    wire("hci-to-host", "H4 packets of a controller, with several reports", in: "HCI/HCI+Messages.swift", limit: 600) {
      stream in
      if stream.number(below: 4) == 0 { return isoData(&stream) }
      let reports = 1 + stream.number(below: 3)
      var data: [UInt8] = [0x02, UInt8(reports)]
      for _ in 0..<reports {
        data += [UInt8(stream.number(below: 5)), UInt8(stream.number(below: 2))] + stream.octets(6)
        data = counted(&stream, data, below: 12) + stream.octets(1)
      }
      return [0x04, 0x3E, UInt8(data.count)] + data
    } _: { input throws(WireError) in
      (UInt64(HCI.commandAllowance(h4: input) ?? 0) << 8 | UInt64(try HCI.ToHost.messages(h4: input).count), nil)
    },
  ]
}
