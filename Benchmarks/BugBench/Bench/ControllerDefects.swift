import BluetoothWire
import InPlaceFuzz
import SimKernel

/// The twelve defects of the first SweynTooth publication (February 2020), each as a receiver beside our device.
///
/// In the products they are in controllers and in the hosts that share a chip with them; so those that are about L2CAP,
/// ATT and pairing stand on the PDUs of the link layer here too.
extension Defect {
  private static func controller(
    _ id: String, _ summary: String, _ seen: String, stops: Bool = false, at seam: FuzzSeam = .ll,
    _ witness: [[UInt8]], flaw: @escaping FlawMaker
  ) -> Defect {
    var target = HuntedWorld(seam: seam, flaw: flaw, witness: witness)
    // The supervision timeout of these links, and some more.
    if stops { target.span = .seconds(6) }
    // Not yet connected: it still sends on the advertising channels.
    if seam == .air { target.state = "client-2 has at least 1 links" }
    return Defect(
      id: id, kind: .controller, summary: summary, seen: seen,
      shows: stops ? "the device stops, and others lose their links" : "trap", hunt: .world(target))
  }

  /// Octets of the data channel's largest payload, Core v5.4, Vol 6, Part B, 2.4.
  private static let largestPayload = 251
  private static let start: UInt8 = 2
  private static let control: UInt8 = 3
  private static let encryptionRequest: UInt8 = 0x03

  private static func security(_ pdu: [UInt8]) -> [[UInt8]] {
    [[start, UInt8(pdu.count), 0, 6, 0] + pdu]
  }

  /// The Security Manager PDU that a PDU of the link layer carries whole.
  private static func securityPDU(_ llid: UInt8, _ payload: [UInt8]) -> ArraySlice<UInt8>? {
    llid == start && payload.count > 4 && payload[2] == 6 && payload[3] == 0 ? payload[4...] : nil
  }

  static let controllers: [Defect] = framing + states

  private static let framing: [Defect] = [
    controller(
      "ll-length-overflow", "a PDU may be longer than the 251 octets that there is room for",
      "SweynTooth: Link Layer Length Overflow, CVE-2019-16336", [[start] + [UInt8](repeating: 1, count: 255)]
    ) {
      var room = [UInt8](repeating: 0, count: largestPayload)
      return Flaw { reception in
        guard case .data(_, let payload) = reception else { return false }
        for (index, octet) in payload.enumerated() { room[index] = octet }
        return false
      }
    },
    controller(
      "ll-control-overflow", "a control PDU may be longer than the 27 octets that there is room for",
      "SweynTooth: Link Layer Length Overflow, CVE-2019-17519", [[control, 0x0C] + [UInt8](repeating: 1, count: 40)]
    ) {
      var room = [UInt8](repeating: 0, count: 27)
      return Flaw { reception in
        guard case .data(control, let payload) = reception else { return false }
        for (index, octet) in payload.enumerated() { room[index] = octet }
        return false
      }
    },
    controller(
      "ll-llid-deadlock", "after a PDU with LLID 0 nothing is received any more",
      "SweynTooth: LLID Deadlock, CVE-2019-17061", stops: true, [[0, 1, 2, 3]]
    ) {
      Flaw { reception in
        if case .data(0, _) = reception { true } else { false }
      }
    },
    controller(
      "ll-llid-unfinished", "a PDU with LLID 0 begins a frame that never ends, and the next one meets it",
      "SweynTooth: LLID Deadlock, CVE-2019-17060", [[0, 1], [start, 3, 0, 4, 0, 0x02, 23, 0]]
    ) {
      var isOpen = false
      return Flaw { reception in
        guard case .data(let llid, _) = reception else { return false }
        if llid == 0 { isOpen = true }
        precondition(llid != start || !isOpen)
        return false
      }
    },
    controller(
      "truncated-l2cap", "a PDU that ends before the L2CAP frame it carries is read as far as the frame says",
      "SweynTooth: Truncated L2CAP, CVE-2019-17517", [[start, 3, 0, 4, 0, 0x0A]]
    ) {
      var read = 0
      return Flaw { reception in
        guard case .data(start, let payload) = reception, payload.count > 4, payload[2] == 4, payload.count < 7,
          payload[1] == 0
        else { return false }
        for place in 4..<4 + Int(payload[0]) { read &+= Int(payload[place]) }
        return read == .max
      }
    },
    controller(
      "silent-length-overflow", "a PDU that goes on after its L2CAP frame is copied to where the frame has room",
      "SweynTooth: Silent Length Overflow, CVE-2019-17518",
      [[start, 3, 0, 4, 0, 0x02, 23, 0] + [UInt8](repeating: 0, count: 100)]
    ) {
      Flaw { reception in
        guard case .data(start, let payload) = reception, payload.count >= 4 else { return false }
        let length = Int(payload[0]) | Int(payload[1]) << 8
        var room = [UInt8](repeating: 0, count: length + 4)
        // The first words too many go into the padding of the buffer.
        for (index, octet) in payload.enumerated() where index < length + 4 || index > length + 16 {
          room[index] = octet
        }
        return room.count == .max
      }
    },
    controller(
      "l2cap-fragment-header", "a frame is taken to have its header in its first PDU",
      "SweynTooth: Invalid L2CAP Fragment, CVE-2019-19195", [[start, 1]]
    ) {
      var channel = 0
      return Flaw { reception in
        guard case .data(start, let payload) = reception else { return false }
        channel = Int(payload[2]) | Int(payload[3]) << 8
        return channel == .max
      }
    },
  ]

  private static let states: [Defect] = [
    controller(
      "connect-request-zero", "a CONNECT_IND with interval or timeout 0 is followed, and never left",
      "SweynTooth: Invalid Connection Request, CVE-2019-19193", stops: true, at: .air,
      [
        [0xC5, 34, 2, 0, 0, 0, 0, 0xC0, 0x01, 0xC4, 0xE7, 0x6B, 0xB0, 0xC0] + [UInt8](repeating: 0x11, count: 8)
          + [1, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 5]
      ]
    ) {
      Flaw { reception in
        guard case .advertising(let pdu) = reception, pdu[0] & 0x0F == 5, pdu.count >= 36 else { return false }
        return pdu[24] | pdu[25] == 0 || pdu[28] | pdu[29] == 0
      }
    },
    controller(
      "public-key-unexpected", "a public key is handed to the pairing that has begun, which there must be",
      "SweynTooth: Unexpected Public Key Crash, CVE-2019-17520", security([0x0C] + [UInt8](repeating: 7, count: 64))
    ) {
      var method: UInt8?
      return Flaw { reception in
        guard case .data(let llid, let payload) = reception, let pdu = securityPDU(llid, payload)?.first else {
          return false
        }
        if pdu == 0x01 { method = 1 }
        return pdu == 0x0C && method! == 0
      }
    },
    controller(
      "att-two-requests", "a request that comes before the last one is answered stops everything",
      "SweynTooth: Sequential ATT Deadlock, CVE-2019-19192", stops: true,
      [[start, 3, 0, 4, 0, 0x0A, 3, 0], [start, 3, 0, 4, 0, 0x0A, 3, 0]]
    ) {
      var answering: Set<UInt32> = []
      return Flaw { reception in
        guard case .exchanged(let link, let isSent, start, let payload) = reception, payload.count > 4, payload[2] == 4
        else { return false }
        switch ATT.Opcode(rawValue: payload[4]).kind {
        case .request where !isSent: return !answering.insert(link).inserted
        case .response where isSent: answering.remove(link)
        default: break
        }
        return false
      }
    },
    controller(
      "key-size-overflow", "a key of the size that a pairing request names is copied when encryption starts",
      "SweynTooth: Key Size Overflow, CVE-2019-19196",
      security([0x01, 3, 0, 1, 253, 1, 1]) + [[control, encryptionRequest] + [UInt8](repeating: 0, count: 22)]
    ) {
      var size = 16
      return Flaw { reception in
        guard case .data(let llid, let payload) = reception else { return false }
        if let pdu = securityPDU(llid, payload), pdu.first == 0x01, pdu.count == 7 { size = Int(pdu[8]) }
        guard llid == control, payload.first == encryptionRequest, payload.count == 23 else { return false }
        var key = [UInt8](repeating: 0, count: 16)
        for index in 0..<size { key[index] = payload[1 + index % 22] }
        return key.count == .max
      }
    },
    controller(
      "zero-key-installed", "encryption that starts while a pairing runs takes the key of zeros that is there",
      "SweynTooth: Zero LTK Installation, CVE-2019-19194; its own check of the key is what shows it",
      security([0x01, 3, 0, 9, 16, 1, 1]) + [[control, encryptionRequest] + [UInt8](repeating: 0, count: 22)]
    ) {
      var isPairing = false
      let key = [UInt8](repeating: 0, count: 16)
      return Flaw { reception in
        guard case .data(let llid, let payload) = reception else { return false }
        if let pdu = securityPDU(llid, payload), pdu.first == 0x01, pdu.count == 7 { isPairing = true }
        guard llid == control, payload.first == encryptionRequest, payload.count == 23 else { return false }
        precondition(!isPairing || key.contains { $0 != 0 })
        return false
      }
    },
  ]
}
