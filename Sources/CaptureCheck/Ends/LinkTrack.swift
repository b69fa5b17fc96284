import BluetoothWire
import SimKernel

/// What one capture shows of one link while it is read: whose traffic it is, and what has been acknowledged.
package final class LinkTrack {
  package let link: TrafficLink
  var isOurs = false
  /// Left-overs of a link that has ended.
  var isStray = false
  /// Values of which nothing says what they are.
  var unknown = 0
  /// The GATT server is the central; the peripheral else.
  package var isServerCentral = false
  var closedAt: SimInstant?
  /// A write with response waits for its answer.
  var isWriteOpen = false
  /// The captured host asked for the end of the link.
  var isEndedByLocal = false
  package var gaps = 0
  var gapsNoted = 0
  /// Values by sender: the server, the client.
  private(set) var sentByServer = 0
  private(set) var sentByClient = 0

  // At an HCI
  /// ACL packets that the captured host has sent, those that are completed, and which of them ended which value.
  private var packets = 0
  private var completedPackets = 0
  private var awaited: [(packet: Int, value: Int)] = []

  // On the air
  /// By direction, the peripheral first: the sequence number of the newest PDU, and the values that wait for the
  /// acknowledgement of a PDU.
  private var sequence: [Bool?] = [nil, nil]
  /// `isDenied`: the receiver has been heard since, and did not have it.
  private var unacknowledged: [(sequence: Bool, value: Int, isDenied: Bool)?] = [nil, nil]
  private(set) var terminatedByCentral: Bool?
  /// The acknowledgement bit of the central's newest PDU, and when it was last clear that the central hears the
  /// peripheral: a peripheral speaks only when it is spoken to.
  private var centralAcknowledges: Bool?
  private(set) var contactAt: SimInstant?

  /// By direction, the peripheral first: what a frame that comes in pieces still lacks, and whether that was told.
  private var lacking = [0, 0]
  private var isFrameTold = [false, false]
  /// Polls of the central since the peripheral was last heard.
  private var unanswered = 0
  /// So many in a row, beyond those that the peripheral may skip, and nothing passes on the link.
  private static let unansweredLimit = 6

  init(_ link: TrafficLink) { self.link = link }

  /// From its beginning on nothing of it is missing.
  var isWhole: Bool { link.isFromStart && gaps == 0 }

  /// Whether the device at whose HCI the capture was taken sent something; of no meaning on the air.
  func isByLocal(fromCentral: Bool) -> Bool {
    link.viewpoint == .host(.peripheral) ? !fromCentral : fromCentral
  }

  /// Whether that device is the server.
  var isLocalServer: Bool { isByLocal(fromCentral: true) == isServerCentral }

  /// What the capture calls an end: its identity address and what was on the air.
  func addresses(ofServer: Bool) -> [BluetoothAddress] {
    let ofCentral = ofServer == isServerCentral
    let known = ofCentral ? [link.central, link.centralPrivate] : [link.peripheral, link.peripheralPrivate]
    return known.compactMap { $0 }
  }

  func sent(fromServer: Bool) -> Int { fromServer ? sentByServer : sentByClient }

  func sends(fromServer: Bool) {
    if fromServer { sentByServer += 1 } else { sentByClient += 1 }
    let value = sent(fromServer: fromServer)
    if link.viewpoint == .air {
      let side = fromServer == isServerCentral ? 1 : 0
      unacknowledged[side] = sequence[side].map { ($0, value, false) }
    } else if fromServer == isLocalServer {
      awaited.append((packets, value))
    }
  }

  /// A fragment before recombination: counts what a host sends, and finds acknowledgements on the air.
  func read(
    _ fragment: LinkFragment, _ octets: ArraySlice<UInt8>, fromCentral: Bool, at instant: SimInstant
  ) -> EndEntry.Kind? {
    switch fragment {
    case .acl:
      if isByLocal(fromCentral: fromCentral) { packets += 1 }
      return nil
    case .linkLayer(let llid, _):
      // Spec: Core v5.4, Vol 6, Part B, 2.4 and 4.5.9: NESN is bit 2, SN is bit 3.
      guard let header = octets.first else { return nil }
      let side = fromCentral ? 1 : 0
      if !fromCentral || centralAcknowledges != (header & 0x04 != 0) { contactAt = instant }
      if fromCentral { centralAcknowledges = header & 0x04 != 0 }
      sequence[side] = header & 0x08 != 0
      if llid == 3, octets.dropFirst(2).first == 0x02 { terminatedByCentral = fromCentral }
      let other = 1 - side
      guard let waiting = unacknowledged[other] else { return nil }
      guard (header & 0x04 != 0) != waiting.sequence else {
        unacknowledged[other]?.isDenied = true
        return nil
      }
      unacknowledged[other] = nil
      return .delivered(
        fromServer: (other == 1) == isServerCentral, upTo: waiting.value, isAtOnce: !waiting.isDenied)
    }
  }

  /// A fragment before recombination: whether a frame begins of which more is to come, or is whole at last. What
  /// continues no frame counts for nothing, and a start ends what was before it.
  func followFrame(_ fragment: LinkFragment, _ octets: ArraySlice<UInt8>, fromCentral: Bool) -> EndEntry.Kind? {
    let side = fromCentral ? 1 : 0
    let isStart: Bool
    let piece: ArraySlice<UInt8>
    switch fragment {
    case .acl(let boundary, _):
      isStart = boundary != 1
      piece = octets
    case .linkLayer(let llid, let isRepeat):
      if isRepeat || llid == 3 { return nil }
      isStart = llid == 2
      piece = octets.dropFirst(2)
    }
    if piece.isEmpty { return nil }
    if isStart {
      let length = piece.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
      lacking[side] = piece.count < 2 ? 0 : max(0, L2CAP.headerLength + length - piece.count)
    } else {
      lacking[side] = max(0, lacking[side] - piece.count)
    }
    let isOpen = lacking[side] > 0
    guard isOurs, isOpen != isFrameTold[side] else { return nil }
    isFrameTold[side] = isOpen
    return .frame(byCentral: fromCentral, isOpen: isOpen)
  }

  /// A PDU on the air: whether the peripheral no longer answers the central, or answers again. Nothing passes on the
  /// link meanwhile, so it is told as a frame that is not whole.
  func followSilence(_ fragment: LinkFragment, fromCentral: Bool) -> EndEntry.Kind? {
    guard case .linkLayer = fragment else { return nil }
    let limit = Self.unansweredLimit + Int(link.peripheralLatency ?? 0)
    defer { unanswered = fromCentral ? unanswered + 1 : 0 }
    if fromCentral { return isOurs && unanswered == limit ? .frame(byCentral: false, isOpen: true) : nil }
    return isOurs && unanswered > limit ? .frame(byCentral: false, isOpen: false) : nil
  }

  /// When both ends of a link that fell silent have found it lost, as far as the air shows: one end may go on
  /// transmitting for a while that the other no longer hears.
  func lostAt(_ closed: SimInstant) -> SimInstant {
    guard let contactAt, let timeout = link.supervisionTimeout else { return closed }
    return min(closed, contactAt + .milliseconds(Int64(timeout) * 10))
  }

  /// ACL packets that the controller has done with.
  func completed(_ count: Int) -> EndEntry.Kind? {
    completedPackets = min(packets, completedPackets + count)
    var newest: Int?
    while let first = awaited.first, first.packet <= completedPackets {
      newest = first.value
      awaited.removeFirst()
    }
    return newest.map { .delivered(fromServer: isLocalServer, upTo: $0, isAtOnce: false) }
  }

  /// Which side ended the link; nil when nobody did. Spec: Core v5.4, Vol 1, Part F, 2: 0x13 … 0x15 the other side,
  /// 0x16 the captured one.
  func isEndedByServer(_ reason: HCI.ErrorCode?) -> Bool? {
    if link.viewpoint == .air { return terminatedByCentral.map { $0 == isServerCentral } }
    switch reason?.rawValue {
    case 0x13, 0x14, 0x15: return !isLocalServer
    case 0x16: return isLocalServer
    default: return isEndedByLocal ? isLocalServer : nil
    }
  }
}
