import BluetoothWire
import CaptureFormats
import NetworkWire
import SimKernel

/// What one capture saw that another one may have seen too: octets that occur once in it, and when.
///
/// Memory is bounded whatever the capture's length: at most `limit` keys stay, twice that for a moment. When there are
/// more, those above a falling threshold go; every capture draws the same line, so what stays in two of them is the
/// same part of what they have in common.
struct ClockSightings {
  /// 32 octets each.
  static let limit = 1 << 16

  struct Sighting {
    var key: UInt64
    /// By the capture's own clock.
    var nanoseconds: Int64
    /// 0: the captured device sent it; 1: on the air; 2: the captured device received it. Who has less saw it first.
    var stage: Int
    /// Seen again: good for nothing, but it must be known.
    var isRepeated = false
  }

  private var kept: [Sighting] = []
  private var threshold = UInt64.max

  mutating func add(_ hash: UInt64, nanoseconds: Int64, stage: Int) {
    let key = Self.spread(hash)
    if key > threshold { return }
    kept.append(Sighting(key: key, nanoseconds: nanoseconds, stage: stage))
    if kept.count >= 2 * Self.limit { compact() }
  }

  /// In the order of their keys; each key once.
  mutating func unique() -> [Sighting] {
    compact()
    return kept.filter { !$0.isRepeated }
  }

  /// Keys at or below this are all there.
  var isWhole: Bool { threshold == .max }

  private mutating func compact() {
    kept.sort { $0.key < $1.key }
    var count = 0
    for index in kept.indices {
      if count > 0, kept[count - 1].key == kept[index].key {
        kept[count - 1].isRepeated = true
      } else {
        kept[count] = kept[index]
        count += 1
      }
    }
    kept.removeSubrange(count...)
    while kept.count > Self.limit {
      threshold /= 2
      let line = threshold
      kept.removeSubrange((kept.firstIndex { $0.key > line } ?? kept.endIndex)...)
    }
  }

  /// FNV-1a, 64 bits.
  static func hash(_ octets: ArraySlice<UInt8>, _ seed: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
    var hash = seed
    for octet in octets { hash = (hash ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
    return hash
  }

  /// Makes every bit of a hash depend on all, so that a threshold takes a fair part.
  private static func spread(_ hash: UInt64) -> UInt64 {
    var mixed = hash
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
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

  let interests: TrafficEvent.Interests = [.att, .air, .packets]

  func observe(_ event: TrafficEvent) {
    guard case .air(.some, let header, let octets) = event.kind, octets.count >= Self.linkLayerOctets,
      let first = octets.first
    else { return }
    // A repeat differs in the bits that acknowledge.
    let seed = ClockSightings.hash([first & 0x03], UInt64(header.accessAddress))
    linkLayer.add(ClockSightings.hash(octets.dropFirst(), seed), nanoseconds: nanoseconds, stage: 1)
  }

  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {}

  /// What two machines saw of a segment that carries something, or opens or ends a connection, is the same from its
  /// ports to its last octet. One that was sent twice counts for nothing.
  func observe(network event: TrafficNetworkEvent) {
    guard case .packet(let packet) = event.kind, case .tcp(let segment) = packet.content, packet.missing == 0,
      !packet.payload.isEmpty || !segment.flags.isDisjoint(with: [.syn, .fin])
    else { return }
    let stage = packet.isOutgoing.map { $0 ? 0 : 2 } ?? 1
    // From the ports to the window: the checksum after it may be left to a network card.
    let header = ClockSightings.hash(segment.octets.prefix(16))
    segments.add(ClockSightings.hash(packet.payload, header), nanoseconds: nanoseconds, stage: stage)
  }

  func observe(event: TrafficHCIEvent) {}
  func observe(att pdu: TrafficPDU) {
    let stage =
      switch pdu.link.viewpoint {
      case .air: 1
      case .host(.peripheral): pdu.fromCentral ? 2 : 0
      case .host(.central), .hostOfUnknownRole: pdu.fromCentral ? 0 : 2
      }
    see(pdu.octets, stage, slot: pdu.link.index * 2 + (pdu.fromCentral ? 1 : 0))
  }

  private func see(_ octets: ArraySlice<UInt8>, _ stage: Int, slot: Int) {
    let hash = ClockSightings.hash(octets)
    if octets.count >= Self.attOctets { att.add(hash, nanoseconds: nanoseconds, stage: stage) }
    if slot >= before.count {
      before.append(contentsOf: repeatElement((hash: 0, octets: 0), count: slot + 1 - before.count))
    }
    let last = before[slot]
    if last.octets > 0, last.octets + octets.count >= Self.pairOctets {
      att.add(ClockSightings.hash(octets, last.hash), nanoseconds: nanoseconds, stage: stage)
    }
    before[slot] = (hash, octets.count)
  }

  func finish(at end: SimInstant) {}

  /// What the capture at `path` saw.
  static func sightings(_ path: String) throws(CaptureRefusal) -> [[ClockSightings.Sighting]] {
    let file: CaptureFile
    do { file = try CaptureFile(path: path) } catch { throw CaptureRefusal(error, path: path, format: nil) }
    let witness = ClockWitness()
    let reader = TrafficReader(observers: [witness])
    do {
      var start: Int64?
      while let record = try file.next() {
        witness.nanoseconds = record.nanoseconds
        let passed = record.nanoseconds.subtractingReportingOverflow(start ?? record.nanoseconds).partialValue
        start = start ?? record.nanoseconds
        reader.read(record, file: 0, at: SimInstant(nanoseconds: passed))
      }
    } catch {
      throw CaptureRefusal(error, path: path, format: file.format)
    }
    return [witness.att.unique(), witness.linkLayer.unique(), witness.segments.unique()]
  }
}
