import BluetoothWire
import CaptureFormats
import NetworkWire
import SimKernel

/// What one capture saw that others may have seen too.
struct WitnessedCapture {
  /// ATT PDUs, PDUs of connections on the air, segments of TCP.
  var sightings: [[ClockSightings.Sighting]]
  /// By `Sighting.link`.
  var links: [LinkIdentity]
  /// Whole records: PDUs of connections on the air, packets of an HCI, advertising on the air.
  var records: [[ClockSightings.Sighting]] = []
  /// Controllers whose HCI it shows.
  var adapters: [TrafficAdapter] = []

  func link(_ index: Int32) -> LinkIdentity? { links.indices.contains(Int(index)) ? links[Int(index)] : nil }
}

/// Collects sightings while a capture is read: ATT PDUs, the PDUs of connections on the air, and segments of TCP.
final class ClockWitness: TrafficObserver {
  /// Shorter PDUs are the same too often to tell which is which.
  private static let attOctets = 12
  private static let pairOctets = 16
  private static let linkLayerOctets = 12

  /// The record's own time.
  @exclusivity(unchecked) var nanoseconds: Int64 = 0
  @exclusivity(unchecked) private(set) var att = ClockSightings()
  @exclusivity(unchecked) private(set) var linkLayer = ClockSightings()
  @exclusivity(unchecked) private(set) var segments = ClockSightings()
  /// By link and direction: the PDU before, because two in a row are rarer than one.
  @exclusivity(unchecked) private var before: [(hash: UInt64, octets: Int)] = []
  /// By `TrafficLink.index`.
  @exclusivity(unchecked) private(set) var links: [LinkIdentity] = []

  let interests: TrafficEvent.Interests = [.links, .att, .air, .packets]

  /// By kind, as in `WitnessedCapture.records`.
  @exclusivity(unchecked) private var records = [ClockSightings](repeating: ClockSightings(), count: 3)
  /// Shorter records are the same too often.
  private static let recordOctets = 8

  private func see(_ record: CaptureRecord) {
    guard record.octets.count >= Self.recordOctets, let key = TwinRecords.key(record) else { return }
    let kind: Int
    if case .air(let header) = record.body {
      if header.isCRCValid == false { return }
      kind = header.accessAddress == LL.advertisingAccessAddress ? 2 : 0
    } else {
      kind = 1
    }
    records[kind].add(key, nanoseconds: record.nanoseconds, stage: 1)
  }

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link), .linkChanged(let link, .addresses), .linkChanged(let link, .role): note(link)
    case .air(.some(let link), let header, let octets):
      guard octets.count >= Self.linkLayerOctets, let first = octets.first else { return }
      // A repeat differs in the bits that acknowledge.
      let seed = FNV1a.hash(first & 0x03, after: UInt64(header.accessAddress))
      linkLayer.add(
        FNV1a.hash(octets.dropFirst(), after: seed), nanoseconds: nanoseconds, stage: 1, link: link.index)
    default: break
    }
  }

  private func note(_ link: TrafficLink) {
    if link.index < links.count {
      links[link.index] = LinkIdentity(link)
    } else {
      links.append(LinkIdentity(link))
    }
  }

  /// What two machines saw of a segment that carries something, or opens or ends a connection, is the same from its
  /// ports to its last octet. One that was sent twice counts for nothing.
  func observe(network event: TrafficNetworkEvent) {
    guard case .packet(let packet) = event.kind, case .tcp(let segment) = packet.content, packet.missing == 0,
      !packet.payload.isEmpty || !segment.flags.isDisjoint(with: [.syn, .fin])
    else { return }
    let stage = packet.isOutgoing.map { $0 ? 0 : 2 } ?? 1
    // From the ports to the window: the checksum after it may be left to a network card.
    let header = FNV1a.hash(segment.octets.prefix(16))
    segments.add(FNV1a.hash(packet.payload, after: header), nanoseconds: nanoseconds, stage: stage)
  }

  func observe(att pdu: TrafficPDU) {
    let stage =
      switch pdu.link.viewpoint {
      case .air: 1
      case .host(.peripheral): pdu.fromCentral ? 2 : 0
      case .host(.central), .hostOfUnknownRole: pdu.fromCentral ? 0 : 2
      }
    if Self.describes(pdu.opcode), links.indices.contains(pdu.link.index), !links[pdu.link.index].isNamed {
      return part(pdu.link.index, fromCentral: pdu.fromCentral)
    }
    see(pdu.octets, stage, pdu.link.index, fromCentral: pdu.fromCentral)
  }

  /// Whether a PDU asks for, or tells, the attributes of a server or its ATT_MTU. All servers of one app say the same
  /// of themselves, so that it shows a connection only where its ends are named.
  private static func describes(_ opcode: UInt8) -> Bool { (0x02...0x09).contains(opcode) || opcode & 0xFE == 0x10 }

  /// The next PDU of a direction comes after one that counts for nothing.
  private func part(_ link: Int, fromCentral: Bool) {
    let slot = link * 2 + (fromCentral ? 1 : 0)
    if slot < before.count { before[slot] = (hash: 0, octets: 0) }
  }

  private func see(_ octets: ArraySlice<UInt8>, _ stage: Int, _ link: Int, fromCentral: Bool) {
    let slot = link * 2 + (fromCentral ? 1 : 0)
    let hash = FNV1a.hash(octets)
    if octets.count >= Self.attOctets { att.add(hash, nanoseconds: nanoseconds, stage: stage, link: link) }
    if slot >= before.count {
      before.append(contentsOf: repeatElement((hash: 0, octets: 0), count: slot + 1 - before.count))
    }
    let last = before[slot]
    if last.octets > 0, last.octets + octets.count >= Self.pairOctets {
      att.add(FNV1a.hash(octets, after: last.hash), nanoseconds: nanoseconds, stage: stage, link: link)
    }
    before[slot] = (hash, octets.count)
  }

  /// What the capture at `path` saw.
  /// - Parameter keys: for what is encrypted on the air.
  static func read(_ path: String, _ keys: [CaptureKey] = []) throws(CaptureRefusal) -> WitnessedCapture {
    let file: CaptureFile
    do { file = try CaptureFile(path: path) } catch { throw CaptureRefusal(error, path: path, format: nil) }
    let witness = ClockWitness()
    let reader = TrafficReader(observers: [witness])
    let decryption = LinkDecryption(file: 0, KeyRing(keys))
    do {
      var start: Int64?
      while let record = try file.next() {
        witness.nanoseconds = record.nanoseconds
        witness.see(record)
        let passed = record.nanoseconds.subtractingReportingOverflow(start ?? record.nanoseconds).partialValue
        start = start ?? record.nanoseconds
        reader.read(decryption.read(record), file: 0, at: SimInstant(nanoseconds: passed))
      }
    } catch {
      throw CaptureRefusal(error, path: path, format: file.format)
    }
    return WitnessedCapture(
      sightings: [witness.att.unique(), witness.linkLayer.unique(), witness.segments.unique()], links: witness.links,
      records: witness.records.indices.map { witness.records[$0].unique() }, adapters: reader.adapters)
  }
}
