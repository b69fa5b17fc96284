import BluetoothWire
import InPlaceFuzz
import SimKernel

/// Host stacks that read what comes in without a look at it.
extension Defect {
  private static func att(
    _ id: String, _ summary: String, seen: String? = nil, _ witness: [UInt8]...,
    flaw: @escaping FlawMaker
  ) -> Defect {
    host(id, summary, seen: seen, .att, witness, flaw: flaw)
  }

  private static func host(
    _ id: String, _ summary: String, seen: String? = nil, _ seam: FuzzSeam, _ witness: [[UInt8]],
    flaw: @escaping FlawMaker
  ) -> Defect {
    Defect(
      id: id, kind: .hostStack, summary: summary, seen: seen, shows: "trap",
      hunt: .world(HuntedWorld(seam: seam, flaw: flaw, witness: witness)))
  }

  /// The ATT PDU of a frame on the attribute channel.
  private static func pdu(_ frame: [UInt8]) -> ArraySlice<UInt8>? {
    frame.count > 4 && frame[2] == 4 && frame[3] == 0 ? frame[4...] : nil
  }

  static let hostStack: [Defect] = [
    att(
      "att-prepared-offset", "prepared values are put together at offsets that nobody has compared with their length",
      [0x16, 0x03, 0, 9, 0, 0x41], [0x18, 1]
    ) {
      var prepared: [(offset: Int, value: [UInt8])] = []
      return Flaw { reception in
        guard case .frame(let frame) = reception, let pdu = pdu(frame).map(Array.init) else { return false }
        if pdu[0] == 0x16, pdu.count >= 5 {
          prepared.append((Int(pdu[3]) | Int(pdu[4]) << 8, Array(pdu[5...])))
        } else if pdu == [0x18, 1] {
          var value = [UInt8](repeating: 0, count: prepared.reduce(0) { $0 + $1.value.count })
          for part in prepared { for (index, octet) in part.value.enumerated() { value[part.offset + index] = octet } }
          prepared = []
        } else if pdu[0] == 0x18 {
          prepared = []
        }
        return false
      }
    },
    att("att-mtu-below-23", "any ATT_MTU is taken, and three are taken away from it", [0x02, 2, 0]) {
      var room: UInt16 = 20
      return Flaw { reception in
        guard case .frame(let frame) = reception, let pdu = pdu(frame).map(Array.init), pdu[0] == 0x02, pdu.count == 3
        else { return false }
        room = min(517, UInt16(pdu[1]) | UInt16(pdu[2]) << 8) - 3
        return room == .max
      }
    },
    att(
      "att-odd-uuid", "a UUID that is not of two octets has sixteen",
      [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28, 0]
    ) {
      var kinds: [[UInt8]] = []
      return Flaw { reception in
        guard case .frame(let frame) = reception, let pdu = pdu(frame).map(Array.init), pdu[0] == 0x08, pdu.count > 6
        else { return false }
        let count = pdu.count == 7 ? 2 : 16
        kinds.append((0..<count).map { pdu[5 + $0] })
        return false
      }
    },
    att("att-response-unasked", "a response is for the request that is under way, which there must be", [0x13]) {
      var requests: [UInt8: UInt8] = [:]
      return Flaw { reception in
        switch reception {
        case .sent(let frame):
          if let opcode = pdu(frame)?.first, ATT.Opcode(rawValue: opcode).kind == .request {
            requests[opcode + 1] = opcode
          }
        case .frame(let frame):
          if let opcode = pdu(frame)?.first, opcode != 0x01, ATT.Opcode(rawValue: opcode).kind == .response {
            precondition(requests.removeValue(forKey: opcode)! < opcode)
          }
        default: break
        }
        return false
      }
    },
    att("att-write-without-handle", "a write has a handle, and its value begins after it", [0x12, 3]) {
      var written = 0
      return Flaw { reception in
        guard case .frame(let frame) = reception, let pdu = pdu(frame).map(Array.init), [0x12, 0x52].contains(pdu[0])
        else { return false }
        written &+= pdu[3...].count
        return false
      }
    },
    host(
      "l2cap-channel-zero", "channels are looked up in a table that begins with channel 1", .l2cap, [[1, 0, 0, 0, 7]]
    ) {
      var frames = [Int](repeating: 0, count: 0xFFFF)
      return Flaw { reception in
        guard case .frame(let frame) = reception else { return false }
        frames[Int(UInt16(frame[2]) | UInt16(frame[3]) << 8) - 1] += 1
        return false
      }
    },
    host(
      "l2cap-signal-length", "a signalling command is as long as it says",
      seen: "like CVE-2017-1000251, a configuration response of BlueZ",
      .l2cap, [[6, 0, 5, 0, 0x12, 1, 9, 0, 1, 2]]
    ) {
      var kind = 0
      return Flaw { reception in
        guard case .frame(let frame) = reception, frame.count >= 8, frame[2] == 5, frame[3] == 0 else { return false }
        let length = Int(frame[6]) | Int(frame[7]) << 8
        for place in 0..<length { kind &+= Int(frame[8 + place]) }
        return kind == .max
      }
    },
    host(
      "l2cap-mps-zero", "the frames of an SDU are counted by dividing by the MPS of a connection request", .l2cap,
      [[14, 0, 5, 0, 0x14, 1, 10, 0, 0x80, 0, 0x40, 0, 23, 0, 0, 0, 1, 0]]
    ) {
      var frames = 0
      return Flaw { reception in
        guard case .frame(let frame) = reception, frame.count >= 18, frame[2] == 5, frame[4] == 0x14 else {
          return false
        }
        let (mtu, mps) = (Int(frame[12]) | Int(frame[13]) << 8, Int(frame[14]) | Int(frame[15]) << 8)
        frames += (mtu + mps - 1) / mps
        return false
      }
    },
    host(
      "l2cap-longer-than-room", "a frame grows beyond the 521 octets that every channel has room for", .l2cap,
      [[0, 4, 4, 0] + [UInt8](repeating: 0x1B, count: 1_024)]
    ) {
      var room = [UInt8](repeating: 0, count: 521)
      var filled: [HCI.ConnectionHandle: Int] = [:]
      return Flaw { reception in
        guard case .acl(let data) = reception else { return false }
        var place = data.boundary == .continuing ? filled[data.handle, default: 0] : 0
        for octet in data.octets {
          room[place] = octet
          place += 1
        }
        filled[data.handle] = place
        return false
      }
    },
    host(
      "acl-continuation-first", "a continuing ACL data packet is added to the frame that has begun",
      .hci, [[0x02, 0x40, 0x10, 2, 0, 1, 2]]
    ) {
      var partials: [HCI.ConnectionHandle: [UInt8]] = [:]
      return Flaw { reception in
        guard case .acl(let data) = reception else { return false }
        if data.boundary != .continuing {
          partials[data.handle] = data.octets
        } else {
          partials[data.handle]! += data.octets
        }
        let whole = partials[data.handle].map { $0.count >= 4 && $0.count >= 4 + (Int($0[0]) | Int($0[1]) << 8) }
        if whole == true { partials[data.handle] = nil }
        return false
      }
    },
  ]
}

extension Attack {
  /// Sends units one after the other, at once.
  static func sending(_ units: [[UInt8]]) -> Attack {
    Attack(units.map { Stroke(.send(after: .zero, route: 0), octets: $0) })
  }
}
