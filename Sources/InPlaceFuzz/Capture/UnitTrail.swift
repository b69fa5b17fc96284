import Bench
import BluetoothWire
import SimKernel
import VirtualRadio

/// Finds the PDUs on the air that carry the units of an attack.
///
/// A unit is looked for by its octets in the data PDUs of its device, from the instant on at which it was sent: the
/// start of an L2CAP frame, its continuations, and what the link layer sends again. Not found are units that never come
/// to the air (HCI commands, what a host stack refuses, what is swallowed) and those on an encrypted link; the next PDU
/// of the device stands for them.
struct UnitTrail {
  /// What a stroke did, and how many records there were before.
  struct Deed {
    var stroke: Int
    /// Nil: one of its own units was swallowed.
    var unit: TappedUnit?
    var place: Int
  }

  /// A record, and what is to be said of it.
  struct Mark {
    var record: Int
    var stroke: Int
    var remark: String
  }

  /// A data PDU of the device.
  private struct Sent {
    var record: Int
    var pdu: AirPDU

    var payload: ArraySlice<UInt8> { pdu.pdu.dropFirst(2) }
    /// Vol 6, Part B, 2.4: 1 is a continuation, 2 a start.
    var llid: UInt8 { (pdu.pdu.first ?? 0) & 3 }

    func isAgain(_ other: Sent) -> Bool {
      // LLID and SN.
      pdu.accessAddress == other.pdu.accessAddress && (pdu.pdu[0] ^ other.pdu.pdu[0]) & 0x0B == 0
        && payload == other.payload
    }
  }

  private let seam: FuzzSeam
  /// All PDUs of the device.
  private let records: [Int]
  private let sent: [Sent]
  private var taken: Set<Int> = []
  /// The PDUs of the device, and those of them that carry a unit of the link layer or the air.
  private let all: [Sent]
  private var takenRecords: Set<Int> = []

  init(_ records: [TraceRecord], device: Int, seam: FuzzSeam) {
    self.seam = seam
    let own = records.enumerated().compactMap { index, record -> Sent? in
      guard case .radio(.air(let pdu)) = record.event, pdu.transmitter == device else { return nil }
      return Sent(record: index, pdu: pdu)
    }
    self.records = own.map(\.record)
    all = own
    sent = own.filter { $0.pdu.accessAddress != LL.advertisingAccessAddress && $0.pdu.pdu.count > 2 && $0.llid != 3 }
  }

  /// What a deed left on the air, the first record of it first; empty when its device sent nothing from then on.
  mutating func marks(of deed: Deed) -> [Mark] {
    if let unit = deed.unit {
      let found = carriers(of: unit, from: deed.place)
      if !found.isEmpty {
        return found.map { Mark(record: $0.record, stroke: deed.stroke, remark: $0.remark) }
      }
    }
    guard let next = records.first(where: { $0 >= deed.place }) ?? records.last else { return [] }
    let remark = deed.unit == nil ? "before this packet" : "not recognised on the air; this is the next packet"
    return [Mark(record: next, stroke: deed.stroke, remark: remark)]
  }

  /// The octets of a unit as an L2CAP frame carries them, and after how many octets of it; nil: nobody can tell.
  private func carried(_ unit: TappedUnit) -> (octets: ArraySlice<UInt8>, offset: Int)? {
    switch unit.route {
    case .value: return (unit.octets[...], L2CAP.headerLength + 3)
    case .frame: return (unit.octets[...], seam == .att ? L2CAP.headerLength : 0)
    case .controller:
      // The H4 indicator and the header of ACL data, Vol 4, Part E, 5.4.2.
      return unit.octets.first == 2 ? (unit.octets.dropFirst(5), 0) : nil
    case .advertising: return nil
    }
  }

  /// The PDU that is a unit of the seams `ll` and `air`, and the same sent again. An encrypted one is not recognised.
  private mutating func direct(_ unit: TappedUnit, from place: Int) -> [(record: Int, remark: String)] {
    let isMatch: (Sent) -> Bool
    if unit.route == .advertising {
      let pdu = HostilePDU.wholePDU(unit.octets)
      isMatch = { $0.pdu.accessAddress == LL.advertisingAccessAddress && $0.pdu.pdu == pdu }
    } else {
      let pdu = HostilePDU(unit: unit.octets, seam.seam)
      isMatch = { sent in
        sent.pdu.accessAddress != LL.advertisingAccessAddress && sent.llid == pdu.flags & 0b11
          && sent.payload.elementsEqual(pdu.payload)
      }
    }
    let taken = takenRecords
    guard
      let start = all.indices.first(where: { index in
        all[index].record >= place && !taken.contains(all[index].record) && isMatch(all[index])
      })
    else { return [] }
    var found = [(all[start].record, "")]
    for sent in all[(start + 1)...] where sent.pdu.accessAddress == all[start].pdu.accessAddress {
      guard unit.route != .advertising, sent.isAgain(all[start]) else { break }
      found.append((sent.record, "sent again by the link layer"))
    }
    takenRecords.formUnion(found.map(\.0))
    return found
  }

  private mutating func carriers(of unit: TappedUnit, from place: Int) -> [(record: Int, remark: String)] {
    if seam == .ll || seam == .air { return direct(unit, from: place) }
    guard let (octets, offset) = carried(unit), !octets.isEmpty else { return [] }
    let start = sent.indices.first { index in
      let part = sent[index].payload.dropFirst(offset)
      return sent[index].record >= place && !taken.contains(index) && !part.isEmpty && octets.starts(with: part)
        && (sent[index].llid == 2 || offset == 0)
    }
    guard let start else { return [] }
    var found = [(sent[start].record, "")]
    var rest = octets.dropFirst(sent[start].payload.count - offset)
    var (last, part) = (start, 1)
    taken.insert(start)
    for index in sent.indices[(start + 1)...] where sent[index].pdu.accessAddress == sent[start].pdu.accessAddress {
      if sent[index].isAgain(sent[last]) {
        found.append((sent[index].record, "sent again by the link layer"))
      } else if !rest.isEmpty, sent[index].llid == 1, rest.starts(with: sent[index].payload) {
        rest = rest.dropFirst(sent[index].payload.count)
        part += 1
        found.append((sent[index].record, "part \(part)"))
        last = index
      } else {
        break
      }
      taken.insert(index)
    }
    return found
  }
}
