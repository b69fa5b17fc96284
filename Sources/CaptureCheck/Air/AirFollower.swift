import BluetoothWire
import CaptureFormats
import SimKernel

/// Follows connections on the air by their access addresses, through channel hopping as the sniffer recorded it.
///
/// A connection comes from its CONNECT_IND or AUX_CONNECT_REQ; or, in the middle of its life, from two PDUs of an
/// access address that noise cannot explain. It is over with an acknowledged LL_TERMINATE_IND, or when it has been
/// silent for its supervision timeout; what comes later under the same access address is a link of its own.
/// Spec: Core v5.4, Vol 6, Part B. Isochronous streams are told apart, and not followed, and so are trains without
/// their SyncInfo. Not modelled: LE Coded, sniffers that record one PDU at several interfaces (a second copy counts as
/// a repeat).
final class AirFollower {
  /// Links that are up at a time; the one that has been silent longest gives way.
  static let linkLimit = 512
  /// Links from the middle of their life that one check opens: captures of noise must not fill memory.
  static let midConnectionLimit = 1_024
  static let defaultSupervisionTimeout: Int64 = 32_000_000_000

  let output: TrafficOutput
  /// Up, or over and remembered for late repeats.
  private var live: [TrafficLink] = []
  private var newest: TrafficLink?
  /// Closed in silence, newest last; they may go on.
  private var silent: [TrafficLink] = []
  private var candidates = AirCandidates()
  private var midConnectionCount = 0
  /// No link's supervision timeout ends before this.
  private var nextDeadline = Int64.max
  var advertisers = AirAdvertisers()
  var streams = AirStreams()
  var auxiliaries = AirAuxiliaries()
  /// Captures of a program that tells what it sent from what it received.
  var tellingFiles: [Int] = []
  /// Captures whose sniffer is known to have missed PDUs.
  var lossyFiles: [Int] = []

  private let identities: IdentityBook
  /// `IdentityBook.version` when living links got their names last.
  private var namedVersion = 0

  init(_ output: TrafficOutput, _ identities: IdentityBook) {
    self.output = output
    self.identities = identities
    namedVersion = identities.version
  }

  /// The time of the packet, by its sniffer's clock where that is known, within a range in which no sum overflows.
  private(set) var now: Int64 = 0
  private var clocks: [Int: SnifferClock] = [:]

  /// By capture: PDUs, and those of them whose CRC is wrong.
  private(set) var heard: [(pdus: Int, damaged: Int)] = []

  func noteDamage() { heard[output.viewpoint].damaged += 1 }

  func read(_ octets: ArraySlice<UInt8>, _ header: AirHeader) {
    while heard.count <= output.viewpoint { heard.append((0, 0)) }
    heard[output.viewpoint].pdus += 1
    now = max(-1 << 60, min(1 << 60, output.instant.nanoseconds))
    if let time = header.snifferTime {
      let duration = Self.duration(of: octets, header)
      now = clocks[output.place.file, default: SnifferClock()].start(of: time, file: now, duration: duration) ?? now
    }
    if now >= nextDeadline { closeSilent() }
    if namedVersion != identities.version { nameAgain() }
    if header.accessAddress == LL.advertisingAccessAddress { return readAdvertising(octets, header) }
    if let stream = header.stream ?? streams.stream(header.accessAddress, file: output.viewpoint) {
      if stream == .periodicAdvertising, readTrain(octets, header) { return }
      streams.count(stream, at: output.place)
      return output.emit(.air) { .air(nil, header, octets) }
    }
    if let link = link(header.accessAddress) {
      if link.isUp || link.air?.isOver == true { return readData(octets, header, link) }
      // It gave way to newer links.
      close(link)
    }
    if let link = openMidConnection(octets, header) { return readData(octets, header, link) }
    if header.isCRCValid == false { noteDamage() }
    output.emit(.air) { .air(nil, header, octets) }
  }

  /// Nothing more comes: links whose end was announced, but not acknowledged, end with their reason. They end when
  /// their own capture does, for others may go on for long.
  func finish(captureEnds: [SimInstant]) {
    let instant = output.instant
    for link in live where link.isUp {
      guard let termination = link.air?.termination else { continue }
      let end = captureEnds.indices.contains(link.file) ? captureEnds[link.file] : instant
      output.moment.instant = min(instant, end)
      output.close(link, reason: termination.reason)
    }
    output.moment.instant = instant
  }

  /// A PDU that the capturer cut: whatever its link had under way is not known.
  func readSnapped(_ header: AirHeader?) {
    for link in live where link.file == output.viewpoint && link.isUp {
      if let header, header.accessAddress != link.accessAddress { continue }
      if let air = link.air { loseTrack(link, air, isStated: true, .snapped) }
    }
  }

  private func link(_ accessAddress: UInt32) -> TrafficLink? {
    let file = output.viewpoint
    if let newest, newest.accessAddress == accessAddress, newest.file == file { return newest }
    for link in live where link.accessAddress == accessAddress && link.file == file {
      newest = link
      return link
    }
    return nil
  }

  /// What the CRC itself says, where it can be computed: a sniffer that calls a wrong one right is not believed, one
  /// that calls it wrong is.
  ///
  /// A CRC is that of the PDU as it was sent, so a decrypted one has none that could be checked. Programs that did not
  /// keep the CRC write zeros, or one with the initial value of advertising, and say that it was right.
  static func checkCRC(of octets: ArraySlice<UInt8>, _ header: inout AirHeader, initial: UInt32?) {
    guard !header.isDecrypted, header.isCRCValid != false, let crc = header.crc, let initial else { return }
    if crc == 0, header.isCRCValid == true { return }
    let fitting = AirCandidates.crcInit(of: octets, crc: crc)
    header.isCRCValid = fitting == initial || fitting == LL.advertisingCRCInit && header.isCRCValid == true
  }

  /// Nanoseconds on the air.
  static func duration(of octets: ArraySlice<UInt8>, _ header: AirHeader) -> Int64 {
    // Whoever checked the MIC has taken it off.
    let mic = header.isDecrypted && header.isMICValid != nil && octets.count > 2 ? 4 : 0
    return LL.airTime(payloadLength: max(0, octets.count - 2) + mic, phy: header.phy)
  }

  // MARK: Identities

  /// A key has come to light: what living links take for a device may be an address of many.
  private func nameAgain() {
    namedVersion = identities.version
    for link in live where link.isUp && name(link) { output.changed(link, .addresses) }
  }

  /// Puts the identity address in the place of a resolvable private one.
  /// - Returns: whether anything changed.
  @discardableResult
  private func name(_ link: TrafficLink) -> Bool {
    let central = (link.centralPrivate ?? link.central).flatMap { identities.identity(of: $0) }
    let peripheral = (link.peripheralPrivate ?? link.peripheral).flatMap { identities.identity(of: $0) }
    var isChanged = false
    if let central, central != link.central {
      link.centralPrivate = link.centralPrivate ?? link.central
      link.central = central
      isChanged = true
    }
    if let peripheral, peripheral != link.peripheral {
      link.peripheralPrivate = link.peripheralPrivate ?? link.peripheral
      link.peripheral = peripheral
      isChanged = true
    }
    return isChanged
  }

  // MARK: Opening

  /// A connection from its beginning.
  func open(_ request: LL.ConnectInd, channelSelection: UInt8?, windowDelayUnits: Int64, phy: LL.AirPHY, end: Int64) {
    if let old = link(request.accessAddress) {
      // The same request from a second interface, or an answer that was repeated.
      if old.isFromStart, old.air?.crcInit == request.crcInit, old.air?.clock.lastStart == nil { return }
      close(old)
    }
    let link = output.open { index in
      let link = TrafficLink(
        index: index, file: output.viewpoint, handle: nil, adapter: nil, accessAddress: request.accessAddress,
        viewpoint: .air, central: request.initiator, peripheral: request.advertiser, isFromStart: true,
        openedAt: output.instant, openedBy: output.place,
        attributesOfPeripheral: output.servers.map(
          of: identities.identity(of: request.advertiser) ?? request.advertiser),
        attributesOfCentral: output.servers.map(of: identities.identity(of: request.initiator) ?? request.initiator))
      name(link)
      link.interval = request.interval
      link.peripheralLatency = request.latency
      link.supervisionTimeout = request.timeout
      link.phy = phy.phy.rawValue
      let air = AirConnection(accessAddress: request.accessAddress)
      air.crcInit = request.crcInit
      air.hopIncrement = request.hop
      air.channelMap = LL.ChannelMap(bits: request.channelMap)
      air.channelSelection = channelSelection
      air.sleepClockAccuracy = request.sleepClockAccuracy
      air.central.begin()
      air.peripheral.begin()
      air.directions.isFromStart = true
      air.clock.begin(
        interval: request.interval,
        transmitWindow: AirClock.transmitWindow(
          connectEnd: end, delayUnits: windowDelayUnits, offset: request.windowOffset))
      link.air = air
      return link
    }
    follow(link)
  }

  /// A connection that the capture has only from here on, if this PDU makes it plausible.
  private func openMidConnection(_ octets: ArraySlice<UInt8>, _ header: AirHeader) -> TrafficLink? {
    let file = output.viewpoint
    let earlier = silent.firstIndex { $0.accessAddress == header.accessAddress && $0.file == file }
    let known = earlier.map { silent[$0] }
    guard midConnectionCount < Self.midConnectionLimit,
      let evidence = candidates.judge(octets, header, file: file, expectedInit: known?.air?.crcInit)
    else { return nil }
    if let earlier { silent.remove(at: earlier) }
    midConnectionCount += 1
    let link = output.open { index in
      let link = TrafficLink(
        index: index, file: file, handle: nil, adapter: nil, accessAddress: header.accessAddress, viewpoint: .air,
        central: known?.central, peripheral: known?.peripheral, isFromStart: false, openedAt: output.instant,
        openedBy: output.place, attributesOfPeripheral: known?.attributesOfPeripheral ?? AttributeMap(),
        attributesOfCentral: known?.attributesOfCentral ?? AttributeMap())
      let air = AirConnection(accessAddress: header.accessAddress)
      air.crcInit = evidence.crcInit
      air.encryption = .unknown
      if header.phy != .le1M { link.phy = header.phy.phy.rawValue }
      if let known { Self.resume(link, air, from: known) }
      link.air = air
      return link
    }
    follow(link)
    return link
  }

  private static func resume(_ link: TrafficLink, _ air: AirConnection, from known: TrafficLink) {
    link.interval = known.interval
    link.peripheralLatency = known.peripheralLatency
    link.supervisionTimeout = known.supervisionTimeout
    link.phy = known.phy
    link.isEncrypted = known.isEncrypted
    link.centralPrivate = known.centralPrivate
    link.peripheralPrivate = known.peripheralPrivate
    guard let before = known.air else { return }
    air.crcInit = air.crcInit ?? before.crcInit
    air.hopIncrement = before.hopIncrement
    air.channelSelection = before.channelSelection
    air.channelMap = before.channelMap
    air.encryption = before.encryption
    air.isUnreadable = before.isUnreadable
    if let interval = known.interval { air.clock.resume(interval: interval) }
  }

  private func follow(_ link: TrafficLink) {
    if live.count == Self.linkLimit, let oldest = live.indices.min(by: { lastHeard(live[$0]) < lastHeard(live[$1]) }) {
      close(live[oldest])
    }
    link.air?.lastHeard = now
    live.append(link)
    newest = link
    nextDeadline = min(nextDeadline, deadline(link))
  }

  // MARK: Closing

  private func lastHeard(_ link: TrafficLink) -> Int64 { link.air?.lastHeard ?? 0 }

  private func deadline(_ link: TrafficLink) -> Int64 {
    let timeout = link.supervisionTimeout.map { Int64($0) * 10_000_000 } ?? 0
    return lastHeard(link) + (timeout > 0 ? timeout : Self.defaultSupervisionTimeout)
  }

  /// Forgets a link, and says that it is over if that was not said.
  private func close(_ link: TrafficLink) {
    live.removeAll { $0 === link }
    if newest === link { newest = nil }
    output.close(link, reason: link.air?.termination?.reason)
  }

  private func closeSilent() {
    let instant = output.instant
    for link in live where deadline(link) <= now {
      output.moment.instant = min(instant, SimInstant(nanoseconds: deadline(link)))
      if link.isUp, link.air?.termination == nil {
        if silent.count == 64 { silent.removeFirst() }
        silent.append(link)
      }
      close(link)
    }
    output.moment.instant = instant
    nextDeadline = live.reduce(Int64.max) { min($0, deadline($1)) }
  }
}
