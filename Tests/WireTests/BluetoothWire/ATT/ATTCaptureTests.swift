import BluetoothWire
import Expectations
import Foundation
import Testing

/// Where real captures lie, when they are there.
private let captures = URL(fileURLWithPath: Repository.shared + "/captures")

/// Just enough of btsnoop version 1 to walk HCI ACL data in both directions.
private struct BTSnoopACL {
  struct Record {
    var isToHost: Bool
    var acl: [UInt8]
    /// The snoop file kept only a part of the packet.
    var isCut: Bool
  }

  static func records(_ file: [UInt8]) -> [Record]? {
    guard file.count >= 16, Array(file[..<8]) == Array("btsnoop\0".utf8) else { return nil }
    func word(_ at: Int) -> Int { file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    let datalink = word(12)
    guard datalink == 1001 || datalink == 1002 else { return nil }
    var records: [Record] = []
    var at = 16
    while at + 24 <= file.count {
      let original = word(at)
      let included = word(at + 4)
      let flags = word(at + 8)
      at += 24
      guard included <= file.count - at else { break }
      let packet = Array(file[at..<at + included])
      at += included
      let isACL = datalink == 1002 ? packet.first == 0x02 : flags & 2 == 0
      guard isACL else { continue }
      let acl = datalink == 1002 ? Array(packet.dropFirst()) : packet
      records.append(Record(isToHost: flags & 1 != 0, acl: acl, isCut: included < original))
    }
    return records
  }

  /// Whole L2CAP frames, in the order in which they became whole.
  static func frames(_ records: [Record]) -> [[UInt8]] {
    var partial: [Int: [UInt8]] = [:]
    var frames: [[UInt8]] = []
    for record in records where record.acl.count >= 4 {
      let handle = Int(record.acl[0]) | Int(record.acl[1] & 0x0F) << 8
      // Qualcomm controllers put diagnostic records, not L2CAP, on this pseudo connection.
      if handle == 0x0EDC { continue }
      let boundary = record.acl[1] >> 4 & 0x03
      let key = handle << 1 | (record.isToHost ? 1 : 0)
      var frame = boundary == 0b01 ? partial[key] ?? [] : []
      partial[key] = nil
      if record.isCut || (boundary == 0b01 && frame.isEmpty) { continue }
      frame += record.acl[4...]
      guard frame.count >= 4 else { continue }
      let length = 4 + (Int(frame[0]) | Int(frame[1]) << 8)
      if frame.count == length { frames.append(frame) } else if frame.count < length { partial[key] = frame }
    }
    return frames
  }
}

@Suite("ATT and LE signalling in real captures")
struct ATTCaptureTests {
  @Test("Every ATT PDU and LE signalling command of every btsnoop capture decodes and encodes back to its octets")
  func wholeCaptures() throws {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: captures.path).sorted() else {
      return print("ABSENT: \(captures.path); set BABBENCH_SHARED to check ATT against real captures")
    }
    var pdus = 0
    var signals = 0
    var opcodes: Set<UInt8> = []
    for name in names {
      let file = try? Data(contentsOf: captures.appendingPathComponent(name))
      guard let file, let records = BTSnoopACL.records([UInt8](file)) else { continue }
      for frame in BTSnoopACL.frames(records) {
        let l2cap = try L2CAP.Frame(decoding: frame)
        equal(l2cap.octets, frame)
        if l2cap.channel == .attribute {
          guard let pdu = try? ATT.PDU(decoding: frame, from: 4) else {
            Issue.record("\(name): \(l2cap.payload)")
            continue
          }
          equal(pdu.octets, l2cap.payload, "\(name)")
          if case .other = pdu { Issue.record("\(name): unknown opcode \(l2cap.payload)") }
          pdus += 1
          opcodes.insert(pdu.opcode.rawValue)
        } else if l2cap.channel == .signalling {
          let signal = try required(try? L2CAP.Signal(decoding: frame, from: 4), "\(name): \(l2cap.payload)")
          equal(signal.octets, l2cap.payload, "\(name)")
          signals += 1
        }
      }
    }
    print("ATT PDUs \(pdus), LE signalling commands \(signals), opcodes \(opcodes.sorted())")
    expect(pdus > 5_000)
    expect(signals > 10)
    expect(opcodes.count >= 15)
  }
}
