import BluetoothWire
import CaptureFormats
public import SimKernel

/// Measures what captures show: connections, controllers, advertisers. `Docs/stats.md` says what each figure is.
///
/// Memory does not grow with the length of a capture: figures are counters, histograms with fixed buckets and series of
/// at most `StatsSeries.capacity` slots, of at most `linkLimit` connections and `advertiserLimit` advertisers; further
/// ones are counted.
public final class TrafficStats: TrafficObserver {
  public static let linkLimit = 1_024
  public static let advertiserLimit = 4_096
  /// Advertisers whose level over time is kept.
  public static let levelSeriesLimit = 512

  public private(set) var links: [LinkStats] = []
  public private(set) var furtherLinks = 0
  public private(set) var adapters: [AdapterStats] = []
  /// In the order of their appearance.
  public private(set) var advertisers: [AdvertiserStats] = []
  /// Advertisements of advertisers beyond the limit.
  public private(set) var furtherAdvertisements = 0
  public private(set) var end = SimInstant.zero
  public private(set) var counts = CodeCounts()
  /// By link and handle, in the order of their appearance.
  public var attributes: [AttributeStats] { attributeBook.attributes }
  /// PDUs that name attributes beyond the limit.
  public var furtherAttributePDUs: Int { attributeBook.further }
  /// Levels of all advertisements.
  public private(set) var advertisingLevel = LevelStats()
  public private(set) var advertisingLevels = StatsSeries()
  private var attributeBook = AttributeBook()
  /// That of the PDU on the air that is read.
  private var newestHeader: AirHeader?

  private struct AdvertiserKey: Hashable {
    var file: Int
    var adapter: Int
    var address: BluetoothAddress
  }
  /// Looked up only, never gone through.
  private var advertiserIndex: [AdvertiserKey: Int] = [:]
  /// Links that are up, so that old ones cost nothing.
  private var live: [LinkStats] = []
  /// The newest PDU on an advertising channel.
  private var advertisingOctet: UInt8 = 0
  private var advertisingChannel: UInt8?
  private var advertisingPlace: PacketPlace?

  public init() {}

  public let interests: TrafficEvent.Interests = [
    .links, .att, .frames, .fragments, .gaps, .commands, .events, .advertisements, .air,
  ]

  public func observe(_ event: TrafficEvent) {
    let instant = event.instant
    switch event.kind {
    case .linkOpened(let link): open(link, at: instant)
    case .linkClosed(let link, let reason):
      guard let stats = stats(link) else { return }
      stats.endReason = reason
      stats.lastSeen = max(stats.lastSeen, instant)
      stats.finish()
      live.removeAll { $0 === stats }
    case .linkChanged(let link, .parameters): stats(link)?.changed(interval: link.interval, at: instant)
    case .linkChanged: break
    case .frame(let link, let fromCentral, let channel, let octets):
      if let code = octets.first {
        if channel == .signalling { counts.count(.signalling, code) }
        if channel == .securityManager { counts.count(.security, code) }
      }
      stats(link)?.countFrame(octets.count, fromCentral: fromCentral, at: instant)
    // Events of which nothing was heard are counted by themselves.
    case .gap(let link, _, let gap): if gap != .unheardEvent { stats(link)?.gaps += 1 }
    case .command(let adapter, let opcode, let parameters):
      counts.count(command: opcode.rawValue)
      self.adapter(adapter).readCommand(opcode, parameters)
    case .advertisement(let advertisement):
      readAdvertisement(advertisement, file: event.place.file, at: instant)
    case .air(let link, let header, let octets):
      newestHeader = header
      if header.accessAddress == LL.advertisingAccessAddress {
        advertisingOctet = octets.first ?? 0
        if header.isCRCValid != false {
          counts.count(.advertising, AdvertisingCode.code(advertisingOctet, header))
        }
        advertisingChannel = header.rfChannel
        advertisingPlace = event.place
        if let last = live.last, last.link.openedBy == event.place { noteRequest(last) }
      } else if let link {
        readAir(link, header, octets, at: instant)
      } else if header.auxiliary?.numbered == .syncInd, header.isCRCValid != false, let first = octets.first {
        counts.count(.advertising, AdvertisingCode.code(first, header))
      }
    case .aside, .foreign: break
    }
  }

  public func observe(event: TrafficHCIEvent) {
    readEvent(event.adapter, event.code, event.parameters, at: event.instant)
  }

  public func observe(att pdu: TrafficPDU) {
    if let opcode = pdu.octets.first { counts.count(.att, opcode) }
    attributeBook.read(pdu)
    stats(pdu.link)?.readATT(pdu.octets, fromCentral: pdu.fromCentral, at: pdu.instant)
  }

  public func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {
    if case .linkLayer(3, false) = header { readControl(pdu) }
    guard case .acl = header, let stats = stats(pdu.link) else { return }
    stats.lastSeen = max(stats.lastSeen, pdu.instant)
    stats.readACL(pdu.octets.count, fromCentral: pdu.fromCentral, at: pdu.instant)
    if let adapter = pdu.link.adapter, stats.isSentByHost(fromCentral: pdu.fromCentral) == true {
      countOutstanding(adapter)
    }
  }

  public func finish(at end: SimInstant) { self.end = end }

  /// By the dense index of links, which is that of `links` as long as the limit holds.
  private func stats(_ link: TrafficLink) -> LinkStats? {
    link.index < links.count ? links[link.index] : nil
  }

  private func open(_ link: TrafficLink, at instant: SimInstant) {
    guard links.count < Self.linkLimit else { return furtherLinks += 1 }
    let stats = LinkStats(link)
    stats.changed(interval: link.interval, at: instant)
    links.append(stats)
    live.append(stats)
    if let address = link.peripheral {
      let key = AdvertiserKey(file: link.file, adapter: link.adapter.map { Int($0.number) } ?? -1, address: address)
      if let index = advertiserIndex[key] { advertisers[index].breakOff() }
    }
    if advertisingPlace == link.openedBy { noteRequest(stats) }
  }

  /// ChSel of a CONNECT_IND: the central supports algorithm #2 (Vol 6, Part B, 2.3.3.1).
  private func noteRequest(_ stats: LinkStats) {
    if stats.isOnAir, advertisingOctet & 0x0F == LL.AdvertisingType.connectInd {
      stats.usedChannelSelection2 = advertisingOctet & 0x20 != 0
    }
  }

  // MARK: HCI

  private func adapter(_ adapter: TrafficAdapter) -> AdapterStats {
    for stats in adapters where stats.adapter === adapter { return stats }
    let stats = AdapterStats(adapter)
    adapters.append(stats)
    return stats
  }

  private func liveLink(_ handle: UInt32, of adapter: TrafficAdapter) -> LinkStats? {
    live.last { $0.link.adapter === adapter && $0.link.handle == UInt16(handle & 0x0FFF) }
  }

  private func countOutstanding(_ adapter: TrafficAdapter) {
    let stats = self.adapter(adapter)
    var count = 0
    for link in live where link.link.adapter === adapter { count += link.outstandingPackets }
    stats.mostOutstanding = max(stats.mostOutstanding, count)
  }

  private func readEvent(
    _ adapter: TrafficAdapter, _ code: UInt8, _ parameters: ArraySlice<UInt8>, at instant: SimInstant
  ) {
    let stats = self.adapter(adapter)
    stats.events += 1
    counts.count(.event, code)
    if code == 0x3E, let subevent = parameters.first { counts.count(.subevent, subevent) }
    switch code {
    case 0x0E:
      stats.readComplete(parameters)
      readLevel(parameters, of: adapter, at: instant)
    case 0x0C where parameters.first == 0:
      guard let handle = parameters.little(at: 1, 2), let link = liveLink(handle, of: adapter) else { return }
      link.isPeerCentral.map { link.change(identityOfCentral: $0) { $0.readVersion(parameters.dropFirst(3)) } }
    case 0x3E where parameters.first == 0x04 && parameters.little(at: 1, 1) == 0:
      guard let handle = parameters.little(at: 2, 2), let link = liveLink(handle, of: adapter) else { return }
      link.isPeerCentral.map { link.change(identityOfCentral: $0) { $0.readFeatures(parameters.dropFirst(4)) } }
    case 0x13:
      // Handle and count take turns (Core v5.4, Vol 4, Part E, 5.2 and 7.7.19).
      for index in 0..<Int(parameters.first ?? 0) {
        guard let handle = parameters.little(at: 1 + 4 * index, 2), let count = parameters.little(at: 3 + 4 * index, 2)
        else { return }
        liveLink(handle, of: adapter)?.complete(Int(count), at: instant)
      }
    case 0x3E where parameters.first == 0x14:
      guard let handle = parameters.little(at: 1, 2), let algorithm = parameters.little(at: 3, 1) else { return }
      liveLink(handle, of: adapter)?.usedChannelSelection2 = algorithm == 1
    default: break
    }
  }

  /// What HCI_Read_RSSI returned: status, handle, dBm (Core v5.4, Vol 4, Part E, 7.5.4).
  private func readLevel(_ parameters: ArraySlice<UInt8>, of adapter: TrafficAdapter, at instant: SimInstant) {
    guard parameters.little(at: 1, 3) == 0x1405, let handle = parameters.little(at: 4, 2),
      let level = parameters.little(at: 6, 1), level != 127
    else { return }
    liveLink(handle, of: adapter)?.record(levelOfPeer: Int8(truncatingIfNeeded: level), at: instant)
  }

  // MARK: Air

  /// A control PDU that is no repeat.
  private func readControl(_ pdu: TrafficPDU) {
    let payload = pdu.octets.dropFirst(2)
    guard let header = newestHeader, let opcode = payload.first else { return }
    if pdu.link.isCiphertext(payload, llid: 3, header) { return counts.countEncryptedControl() }
    counts.count(.control, opcode)
    stats(pdu.link)?.change(identityOfCentral: pdu.fromCentral) { $0.read(control: payload) }
  }

  private func readAir(_ link: TrafficLink, _ header: AirHeader, _ octets: ArraySlice<UInt8>, at instant: SimInstant) {
    guard let stats = stats(link), let fromCentral = header.isFromCentral, octets.count >= 2 else { return }
    stats.lastSeen = max(stats.lastSeen, instant)
    stats.timing.read(octets, header, fromCentral: fromCentral, at: instant, stats)
    let payload = octets.dropFirst(2)
    guard octets[octets.startIndex] & 3 == 3, header.isCRCValid != false, let opcode = payload.first else { return }
    let isPlain = !link.isEncrypted || header.isDecrypted
    guard isPlain else { return }
    switch opcode {
    case 0x14, 0x15:
      guard let octets = payload.little(at: 1, 2) else { return }
      if fromCentral { stats.centralDataLength = Int(octets) } else { stats.peripheralDataLength = Int(octets) }
    case 0x07 where payload.little(at: 1, 1) == 0x14:
      if fromCentral { stats.centralDataLength = 27 } else { stats.peripheralDataLength = 27 }
    case 0x16 where fromCentral:
      if let masks = payload.little(at: 1, 2), masks & 0x0202 != 0 { stats.centralAskedFor2M = true }
    default: break
    }
  }

  // MARK: Advertising

  private func readAdvertisement(_ advertisement: TrafficAdvertisement, file: Int, at instant: SimInstant) {
    if let rssi = advertisement.rssi {
      advertisingLevel.record(rssi)
      advertisingLevels.add(Int64(rssi), at: instant)
    }
    let key = AdvertiserKey(
      file: file, adapter: advertisement.heardBy.map { Int($0.number) } ?? -1, address: advertisement.address)
    var index = advertiserIndex[key]
    if index == nil {
      guard advertisers.count < Self.advertiserLimit else { return furtherAdvertisements += 1 }
      index = advertisers.count
      advertiserIndex[key] = advertisers.count
      advertisers.append(
        AdvertiserStats(
          address: advertisement.address, file: file, heardBy: advertisement.heardBy,
          keepsLevels: advertisers.count < Self.levelSeriesLimit))
    }
    guard let index else { return }
    advertisers[index].read(advertisement, channel: primaryChannel(of: advertisement), at: instant)
    // ChSel of ADV_IND and ADV_DIRECT_IND, which came as `air` just before (Vol 6, Part B, 2.3.1).
    if advertisement.heardBy == nil, advertisingOctet & 0x0F <= 1, advertisingOctet & 0x20 != 0 {
      advertisers[index].supportsChannelSelection2 = true
    }
  }

  /// RF channels 0, 12 and 39 are the advertising channels 37, 38 and 39 (Vol 6, Part B, 1.4.1).
  private func primaryChannel(of advertisement: TrafficAdvertisement) -> UInt8? {
    guard advertisement.heardBy == nil, let channel = advertisingChannel, [0, 12, 39].contains(channel) else {
      return nil
    }
    return channel
  }
}
