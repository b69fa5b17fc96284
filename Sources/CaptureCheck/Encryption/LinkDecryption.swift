import BluetoothWire
import CaptureFormats

/// Puts the PDUs of one capture of the air in plain where a key is known, before anybody follows them.
///
/// A record whose MIC is right is handed on without the MIC and marked as decrypted, as sniffers do that have the key;
/// every other record is handed on as it is. Keys are those of the ring, and what the capture itself gives away:
/// `PairingTranscript`. What is heard with a wrong CRC is left alone.
/// Memory: `linkLimit` connections, and `KeyRing`.
final class LinkDecryption {
  static let linkLimit = 512
  /// Sessions that reports can tell of.
  static let sessionLimit = 4_096

  private final class Link {
    let accessAddress: UInt32
    var ends: (initiator: BluetoothAddress, responder: BluetoothAddress)?
    var crcInit: UInt32?
    var pairing = PairingTranscript()
    /// LL_ENC_REQ, which waits for its answer.
    var request: [UInt8]?
    var requestPlace: PacketPlace?
    /// The newest LL_ENC_REQ and LL_ENC_RSP that were taken: later ones with the same octets are repeats.
    var taken: [[UInt8]] = []
    var session: EncryptedSession?

    init(_ accessAddress: UInt32) { self.accessAddress = accessAddress }
  }

  private let file: Int
  private let ring: KeyRing
  private var links: [UInt32: Link] = [:]
  /// In the order of their appearance.
  private var order: [UInt32] = []
  private var newest: Link?
  private(set) var sessions: [EncryptedSession] = []

  init(file: Int, _ ring: KeyRing) {
    self.file = file
    self.ring = ring
  }

  @inline(__always)
  func read(_ record: CaptureRecord) -> CaptureRecord {
    switch record.body {
    case .air(let header): return read(record, header)
    case .hci(_, indicator: 0x01, _):
      ring.learn(command: record.octets)
      return record
    default: return record
    }
  }

  private func read(_ record: CaptureRecord, _ header: AirHeader) -> CaptureRecord {
    let octets = record.octets
    let start = octets.startIndex
    guard octets.count > 2, header.isCRCValid != false, Int(octets[start + 1]) == octets.count - 2,
      !header.isDecrypted
    else { return record }
    if header.accessAddress == LL.advertisingAccessAddress {
      if octets[start] & 0x0F == LL.AdvertisingType.connectInd { connect(octets) }
      return record
    }
    // With reserved bits or CTEInfo, what is authenticated is another.
    guard octets[start] & 0xE0 == 0, octets[start] & 3 != 0 else { return record }
    let link = link(header.accessAddress)
    guard let session = link?.session, octets.count >= 7, let link else {
      if isTelling(octets, link) { follow(octets, link, header, record.number) }
      return record
    }
    let payload = Array(octets.dropFirst(2))
    if link.taken.contains(payload) { return record }
    guard isIntact(octets, header, link) else { return record }
    let llid = octets[start] & 3
    if llid == LL.LLID.control.rawValue, payload.count == 23, payload[0] == LL.ControlOpcode.encReq {
      follow(octets, link, header, record.number)
      return record
    }
    let place = PacketPlace(file: file, number: record.number)
    guard let opened = session.open(payload, llid: llid, fromCentral: header.isFromCentral, ring, at: place) else {
      return record
    }
    if llid != LL.LLID.control.rawValue {
      link.pairing.take(
        opened.plain[...], isStart: llid == LL.LLID.start.rawValue, fromCentral: opened.fromCentral, ring)
    }
    return decrypted(record, header, opened)
  }

  /// The record as a sniffer with the key would have written it, and with another header in front in files.
  ///
  /// Who sent it is part of what the MIC proves.
  private func decrypted(
    _ record: CaptureRecord, _ header: AirHeader, _ opened: (plain: [UInt8], fromCentral: Bool)
  ) -> CaptureRecord {
    var header = header
    header.isFromCentral = opened.fromCentral
    header.isDecrypted = true
    header.isEncrypted = true
    header.isMICValid = true
    header.prefix = AirHeader.Prefix()
    var record = record
    record.body = .air(header)
    let plain = opened.plain
    record.octets = ([record.octets[record.octets.startIndex], UInt8(plain.count)] + plain)[...]
    return record
  }

  // MARK: In plain

  private func connect(_ octets: ArraySlice<UInt8>) {
    guard let request = try? LL.ConnectInd(decoding: Array(octets)) else { return }
    if let old = links[request.accessAddress] {
      // The same request once more.
      if old.crcInit == request.crcInit, old.session == nil { return }
      forget(request.accessAddress)
    }
    let link = open(request.accessAddress)
    link.ends = (request.initiator, request.advertiser)
    link.crcInit = request.crcInit
  }

  private func link(_ accessAddress: UInt32) -> Link? {
    if let newest, newest.accessAddress == accessAddress { return newest }
    guard let found = links[accessAddress] else { return nil }
    newest = found
    return found
  }

  private func open(_ accessAddress: UInt32) -> Link {
    if order.count == Self.linkLimit { forget(order[0]) }
    let link = Link(accessAddress)
    links[accessAddress] = link
    order.append(accessAddress)
    newest = link
    return link
  }

  private func forget(_ accessAddress: UInt32) {
    links[accessAddress] = nil
    order.removeAll { $0 == accessAddress }
    if newest?.accessAddress == accessAddress { newest = nil }
  }

  /// Whether a PDU in plain may matter: the start of encryption, its refusal, or a pairing.
  private func isTelling(_ octets: ArraySlice<UInt8>, _ link: Link?) -> Bool {
    let start = octets.startIndex
    switch octets[start] & 3 {
    case LL.LLID.control.rawValue:
      switch octets[start + 2] {
      case LL.ControlOpcode.encReq, LL.ControlOpcode.encRsp, LL.ControlOpcode.rejectInd,
        LL.ControlOpcode.rejectExtInd:
        return true
      default: return false
      }
    case LL.LLID.start.rawValue:
      return octets.count >= 6 && octets.word(at: 4) == L2CAP.ChannelID.securityManager.rawValue
    default: return link?.pairing.isOpen == true
    }
  }

  private func isIntact(_ octets: ArraySlice<UInt8>, _ header: AirHeader, _ link: Link?) -> Bool {
    guard let initial = link?.crcInit, let crc = header.crc, crc != 0 || header.isCRCValid != true else { return true }
    return AirCandidates.crcInit(of: octets, crc: crc) == initial
      || header.isCRCValid == true && AirCandidates.crcInit(of: octets, crc: crc) == LL.advertisingCRCInit
  }

  private func follow(_ octets: ArraySlice<UInt8>, _ known: Link?, _ header: AirHeader, _ number: Int) {
    guard isIntact(octets, header, known) else { return }
    let payload = octets.dropFirst(2)
    let llid = octets[octets.startIndex] & 3
    guard llid == LL.LLID.control.rawValue else {
      let link = known ?? open(header.accessAddress)
      return link.pairing.take(
        payload, isStart: llid == LL.LLID.start.rawValue, fromCentral: header.isFromCentral, ring)
    }
    switch (payload[payload.startIndex], payload.count) {
    case (LL.ControlOpcode.encReq, 23):
      let link = known ?? open(header.accessAddress)
      link.request = Array(payload)
      link.requestPlace = PacketPlace(file: file, number: number)
      link.session = nil
      link.taken = [Array(payload)]
    case (LL.ControlOpcode.encRsp, 13): if let known { begin(known, Array(payload)) }
    case (LL.ControlOpcode.rejectInd, _), (LL.ControlOpcode.rejectExtInd, _): known.map(refuse)
    default: break
    }
  }

  /// The peripheral's host has no key: what comes is in plain (Core v5.4, Vol 6, Part B, 5.1.3.1).
  private func refuse(_ link: Link) {
    link.request = nil
    guard let session = link.session, session.read == 0 else { return }
    link.session = nil
    sessions.removeAll { $0 === session }
  }

  private func begin(_ link: Link, _ response: [UInt8]) {
    guard let request = link.request, let place = link.requestPlace,
      case .encReq(let random, let diversifier, let skdC, let ivC)? = try? LL.ControlPDU(decoding: request),
      case .encRsp(let skdP, let ivP)? = try? LL.ControlPDU(decoding: response)
    else { return }
    link.request = nil
    link.taken.append(response)
    let session = EncryptedSession(
      EncryptedSession.Opening(
        diversifier: diversifier, random: random, diversifiers: (skdC, skdP), vectors: (ivC, ivP)),
      own: link.pairing.keys(link.ends, ring), accessAddress: link.accessAddress, place: place)
    link.session = session
    if sessions.count < Self.sessionLimit { sessions.append(session) }
  }
}
