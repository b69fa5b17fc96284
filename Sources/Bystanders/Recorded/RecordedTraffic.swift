import BluetoothWire
import CaptureCheck
import SimKernel

/// Keeps what a recording is made of while a capture is read: the ATT PDUs of every link, and who advertised what.
final class RecordedTraffic: TrafficObserver {
  /// Octets of PDUs and advertisements; what comes after them is not kept.
  private static let octetLimit = 64 << 20
  /// A PDU counts for so many octets beside its own.
  private static let overhead = 64

  struct PDU {
    var instant: SimInstant
    var fromCentral: Bool
    var octets: [UInt8]
  }

  /// What one link shows.
  struct Link {
    var link: TrafficLink
    var pdus: [PDU] = []
    var reason: HCI.ErrorCode?
    /// PDUs that answer or tell values, by the side that sent them: the peripheral, the central.
    var answers = (peripheral: 0, central: 0)
  }

  private(set) var links: [Link] = []
  private var places: [Int: Int] = [:]
  private(set) var advertisers: [BluetoothAddress] = []
  private var advertisements: [BluetoothAddress: RecordedAdvertising] = [:]
  /// Those whose link has begun: what they say from then on is of another time.
  private var connected: Set<BluetoothAddress> = []
  /// What the captured device advertises itself.
  private(set) var own = RecordedAdvertising()
  private var octets = 0
  private(set) var isCut = false

  let interests: TrafficEvent.Interests = [.links, .att, .advertisements, .commands]

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .linkOpened(let link):
      places[link.index] = links.count
      links.append(Link(link: link))
      connected.formUnion([link.peripheral, link.peripheralPrivate, link.central].compactMap { $0 })
    case .linkChanged(let link, .role): turnRound(link)
    case .linkClosed(let link, let reason): if let place = places[link.index] { links[place].reason = reason }
    case .advertisement(let advertisement): keep(advertisement)
    case .command(_, let opcode, let parameters): keep(opcode, parameters)
    default: break
    }
  }

  func observe(att pdu: TrafficPDU) {
    guard let place = places[pdu.link.index], takes(pdu.octets.count) else { return }
    links[place].pdus.append(PDU(instant: pdu.instant, fromCentral: pdu.fromCentral, octets: Array(pdu.octets)))
    guard Self.isOfServer(pdu.octets.first ?? 0) else { return }
    if pdu.fromCentral { links[place].answers.central += 1 } else { links[place].answers.peripheral += 1 }
  }

  /// What an advertiser said, the newest before its first link.
  func advertising(of addresses: [BluetoothAddress]) -> RecordedAdvertising? {
    addresses.lazy.compactMap { self.advertisements[$0] }.first
  }

  /// The answers of a server and its values; an error and Exchange MTU say little.
  private static func isOfServer(_ opcode: UInt8) -> Bool {
    switch opcode {
    case 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x1B, 0x1D, 0x21, 0x23: true
    default: false
    }
  }

  private func turnRound(_ link: TrafficLink) {
    // Until its role is known, the captured device is taken for the central.
    guard link.viewpoint == .host(.peripheral), let place = places[link.index] else { return }
    for index in links[place].pdus.indices { links[place].pdus[index].fromCentral.toggle() }
    let answers = links[place].answers
    links[place].answers = (answers.central, answers.peripheral)
  }

  private func takes(_ count: Int) -> Bool {
    guard octets + count + Self.overhead <= Self.octetLimit else {
      isCut = true
      return false
    }
    octets += count + Self.overhead
    return true
  }

  private func keep(_ advertisement: TrafficAdvertisement) {
    let address = advertisement.address
    let before = advertisements[address]
    let isKnown = advertisement.isScanResponse ? before?.scanResponse != nil : before?.data != nil
    if connected.contains(address), isKnown { return }
    if before == nil {
      guard takes(0) else { return }
      advertisers.append(address)
    }
    var kept = before ?? RecordedAdvertising()
    if advertisement.isScanResponse {
      kept.scanResponse = Array(advertisement.data)
    } else {
      kept.data = Array(advertisement.data)
    }
    advertisements[address] = kept
  }

  /// LE Set Advertising Data and LE Set Scan Response Data: a length and 31 octets (Core v5.4, Vol 4, Part E, 7.8.7,
  /// 7.8.8).
  private func keep(_ opcode: HCI.Opcode, _ parameters: ArraySlice<UInt8>) {
    guard opcode.rawValue == 0x2008 || opcode.rawValue == 0x2009, let length = parameters.first, length > 0 else {
      return
    }
    let data = Array(parameters.dropFirst().prefix(min(Int(length), RecordedAdvertising.limit)))
    if opcode.rawValue == 0x2008 { own.data = data } else { own.scanResponse = data }
  }
}
