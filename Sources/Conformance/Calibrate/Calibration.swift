import Bench
import BluetoothWire
public import CaptureCheck
import Platform
import SimKernel
public import VirtualRadio

/// Fits phones and a room to what was measured. `Docs/Formats/profile.md` says how, and with which error.
public struct Calibration {
  /// Devices in the same role with the same values.
  struct Phone {
    var name: String
    var role: HCI.Role
    var devices: [BluetoothAddress?]
    var preset: PhonePreset
    /// How many of the fitted values the preset has, too.
    var agreement: Int
    var values: [FittedDevice.Value]
  }

  /// Loss of single PDUs, from the answers to the peripherals' PDUs.
  public struct Loss: Hashable, Sendable {
    public var judged: Int
    public var lost: Int
    /// Parts per million, rounded to the nearest.
    public var partsPerMillion: Int { (lost * 1_000_000 + judged / 2) / max(1, judged) }
    /// Three standard errors of a share of `judged` draws, parts per million.
    public var error: Int {
      let (n, k) = (UInt128(max(1, judged)), UInt128(min(lost, judged)))
      // (3 000 000)² p (1 − p) / n
      let square = 9_000_000_000_000 * k * (n - k) / (n * n * n)
      var root = 0
      for bit in (0..<32).reversed() where UInt128(root | 1 << bit) * UInt128(root | 1 << bit) <= square {
        root |= 1 << bit
      }
      return UInt128(root) * UInt128(root) < square ? root + 1 : root
    }
  }

  /// Fewer answers than this say nothing about loss.
  static let leastJudged = 100

  var phones: [Phone]
  public private(set) var loss: Loss?
  public let name: String
  let report: StatsReport

  /// - Parameter preset: what is not measured comes from this; nil chooses the one that agrees most for each phone.
  public init(_ report: StatsReport, name: String, preset: PhonePreset? = nil) {
    self.report = report
    self.name = name
    var fit = DeviceFit()
    for link in report.stats.links { fit.read(link, report.stats) }
    for adapter in report.stats.adapters { fit.read(adapter) }
    for advertiser in report.stats.advertisers { fit.read(advertiser) }
    phones = Self.grouped(fit.devices, preset)
    var loss = Loss(judged: 0, lost: 0)
    for link in report.stats.links where link.isOnAir {
      loss.judged += link.peripheral.judged
      loss.lost += link.peripheral.unacknowledged
    }
    if loss.judged >= Self.leastJudged { self.loss = loss }
  }

  /// Whether there is anything to write down.
  public var isEmpty: Bool { phones.isEmpty }

  private static func grouped(_ devices: [FittedDevice], _ preset: PhonePreset?) -> [Phone] {
    var phones: [Phone] = []
    for device in devices {
      let values = device.values.filter { FittedDevice.limits($0.key).contains($0.value) }
      if values.isEmpty { continue }
      let same = phones.firstIndex { phone in
        phone.role == device.role && phone.values.map(\.key) == values.map(\.key)
          && phone.values.map(\.value) == values.map(\.value)
      }
      if let same {
        phones[same].devices.append(device.address)
        for index in values.indices { phones[same].values[index].samples += values[index].samples }
      } else {
        let nearest = nearest(values, device.role)
        let chosen = preset ?? nearest
        phones.append(
          Phone(
            name: "", role: device.role, devices: [device.address], preset: chosen,
            agreement: agreement(values, chosen, device.role), values: values))
      }
    }
    for role in [HCI.Role.central, .peripheral] {
      let indices = phones.indices.filter { phones[$0].role == role }
      let word = role == .central ? "central" : "peripheral"
      for (number, index) in indices.enumerated() {
        phones[index].name = indices.count == 1 ? word : "\(word)-\(number + 1)"
      }
    }
    return phones
  }

  /// The preset that has most of the values; of equals the first that is listed.
  private static func nearest(_ values: [FittedDevice.Value], _ role: HCI.Role) -> PhonePreset {
    var best = PhonePreset.all[0]
    for preset in PhonePreset.all.dropFirst() where agreement(values, preset, role) > agreement(values, best, role) {
      best = preset
    }
    return best
  }

  private static func agreement(_ values: [FittedDevice.Value], _ preset: PhonePreset, _ role: HCI.Role) -> Int {
    values.count { FittedDevice.value(of: $0.key, in: preset, role: role) == $0.value }
  }

  /// The latencies of all connections by who waited, for the `measured` part.
  var measurements: [PhoneProfile.Measurement] {
    var list: [PhoneProfile.Measurement] = []
    for kind in StatsReport.latencies {
      for (who, isCentral) in [("central", true), ("peripheral", false)] {
        var all = Histogram()
        for link in report.stats.links { all.merge(link.sent(byCentral: isCentral)[keyPath: kind.path]) }
        guard !all.isEmpty else { continue }
        list.append(
          PhoneProfile.Measurement(
            what: "\(kind.name), \(who)", samples: Int(clamping: all.count), least: .nanoseconds(all.minimum),
            median: all.duration(permille: 500), p90: all.duration(permille: 900), p99: all.duration(permille: 990),
            greatest: .nanoseconds(all.maximum)))
      }
    }
    return list
  }
}

/// Collects votes from links, controllers and advertisers.
struct DeviceFit {
  private(set) var devices: [FittedDevice] = []

  /// A link shorter than this says nothing by what did not happen on it.
  private static let longEnough = SimDuration.seconds(1)

  private func index(_ address: BluetoothAddress?, _ role: HCI.Role) -> Int? {
    devices.firstIndex { $0.address == address && $0.role == role }
  }

  private mutating func change(
    _ address: BluetoothAddress?, _ role: HCI.Role, _ body: (inout FittedDevice) -> Void
  ) {
    if let index = index(address, role) { return body(&devices[index]) }
    var device = FittedDevice(address: address, role: role)
    body(&device)
    devices.append(device)
  }

  mutating func read(_ stats: LinkStats, _ all: TrafficStats) {
    let link = stats.link
    let own = all.adapters.first { $0.adapter === link.adapter }
    let advertiser = all.advertisers.first { $0.heardBy == nil && $0.address == link.peripheral }
    // A captured phone is one, whatever private addresses it used: its log has its own.
    let isOwnPeripheral = link.viewpoint == .host(.peripheral)
    let central = (isOwnPeripheral ? nil : own?.adapter.publicAddress) ?? link.central
    let peripheral = (isOwnPeripheral ? own?.adapter.publicAddress : nil) ?? link.peripheral
    change(central, .central) { device in
      Self.readCentral(stats, &device)
      // Without ChSel in the advertisement, none in CONNECT_IND says nothing of the central.
      if stats.isOnAir, let uses = stats.usedChannelSelection2, uses || advertiser?.supportsChannelSelection2 == true {
        device.vote(.channelSelection2, uses, .said, "ChSel in CONNECT_IND")
      }
    }
    change(peripheral, .peripheral) { Self.readPeripheral(stats, &$0) }
    guard let own else { return }
    // Whose HCI it is: what its controller said is the best there is.
    let isPeripheral = isOwnPeripheral
    change(isPeripheral ? peripheral : central, isPeripheral ? .peripheral : .central) { device in
      Self.readOwn(own, &device)
    }
    readPeer(stats, own, isPeripheral: isPeripheral)
  }

  private static func readCentral(_ stats: LinkStats, _ device: inout FittedDevice) {
    let link = stats.link
    if let mtu = link.clientRxMTU { device.vote(.attMTU, mtu, .said, "asked in ATT_EXCHANGE_MTU_REQ") }
    if link.isFromStart {
      if let interval = stats.intervals.first {
        device.vote(.interval, Int(interval.interval), .said, "the interval that connections began with")
      }
      if let latency = stats.initialLatency {
        device.vote(.peripheralLatency, Int(latency), .said, "the latency that connections began with")
      }
      if let timeout = stats.initialTimeout {
        device.vote(.supervisionTimeout, Int(timeout), .said, "the timeout that connections began with")
      }
      if link.clientRxMTU != nil {
        device.vote(.exchangesATTMTU, true, .said, "ATT_EXCHANGE_MTU_REQ was seen")
      } else if stats.duration >= longEnough, stats.central.attPDUs > 4 {
        device.vote(.exchangesATTMTU, false, .estimated, "no ATT_EXCHANGE_MTU_REQ on connections with ATT traffic")
      }
    }
    readRadio(stats, &device, stats.centralDataLength)
    if stats.isOnAir, link.isFromStart, stats.duration >= longEnough, !link.isEncrypted || stats.centralAskedFor2M {
      device.vote(.prefers2M, stats.centralAskedFor2M, .said, "LL_PHY_REQ of the central, seen or not")
    }
    let cut = stats.cutEvents
    if cut.count >= 3, cut.minimum == cut.maximum {
      device.vote(
        .packetsPerEvent, Int(cut.maximum), .estimated, "events ended early with more to send", samples: Int(cut.count))
    }
  }

  private static func readPeripheral(_ stats: LinkStats, _ device: inout FittedDevice) {
    if let mtu = stats.link.serverRxMTU { device.vote(.attMTU, mtu, .said, "answered in ATT_EXCHANGE_MTU_RSP") }
    readRadio(stats, &device, stats.peripheralDataLength)
  }

  /// What both ends have in common.
  private static func readRadio(_ stats: LinkStats, _ device: inout FittedDevice, _ dataLength: Int?) {
    let link = stats.link
    if let dataLength { device.vote(.dataLength, dataLength, .said, "LL_LENGTH_REQ or LL_LENGTH_RSP") }
    if stats.isOnAir, dataLength == nil, link.isFromStart, stats.duration >= longEnough, !link.isEncrypted {
      device.vote(.dataLength, 27, .estimated, "no LL_LENGTH_REQ on whole connections")
    }
    if !stats.isOnAir, let octets = [link.maxTxOctets, link.maxRxOctets].compactMap(\.self).max() {
      device.vote(.dataLength, Int(octets), .negotiated, "LE Data Length Change")
    }
    if link.phy == 2 { device.vote(.supports2M, true, .negotiated, "connections on LE 2M") }
    if !stats.isOnAir, stats.usedChannelSelection2 == true {
      device.vote(.channelSelection2, true, .negotiated, "LE Channel Selection Algorithm event")
    }
  }

  private static func readOwn(_ own: AdapterStats, _ device: inout FittedDevice) {
    if let count = own.aclCount { device.vote(.aclBuffers, count, .said, "LE Read Buffer Size") }
    if let octets = own.aclOctets { device.vote(.aclOctets, octets, .said, "LE Read Buffer Size") }
    if let features = own.features {
      let source = "LE Read Local Supported Features"
      // Bits 5, 8 and 14 (Core v5.4, Vol 6, Part B, 4.6).
      if features >> 5 & 1 == 0 { device.vote(.dataLength, 27, .said, source) }
      device.vote(.supports2M, features >> 8 & 1 == 1, .said, source)
      device.vote(.channelSelection2, features >> 14 & 1 == 1, .said, source)
    }
    if let octets = own.maximumDataOctets { device.vote(.dataLength, octets, .said, "LE Read Maximum Data Length") }
    if device.role == .central { device.vote(.prefers2M, own.asksFor2M, .said, "LE Set PHY, sent or not") }
  }

  /// What the captured host asked for and the other end did not follow.
  private mutating func readPeer(_ stats: LinkStats, _ own: AdapterStats, isPeripheral: Bool) {
    let link = stats.link
    guard link.isFromStart, stats.duration >= Self.longEnough, own.asksForDataLength, link.maxTxOctets == nil else {
      return
    }
    change(isPeripheral ? link.central : link.peripheral, isPeripheral ? .central : .peripheral) { device in
      device.vote(.dataLength, 27, .estimated, "LE Set Data Length had no effect")
    }
  }

  /// What a controller's own host set for its advertising.
  mutating func read(_ adapter: AdapterStats) {
    guard let interval = adapter.advertisingIntervals else { return }
    for index in devices.indices where devices[index].role == .peripheral {
      guard let address = devices[index].address, adapter.adapter.addresses.contains(address) else { continue }
      devices[index].vote(
        .advertisingInterval, Int(interval.lowerBound), .said, "LE Set Advertising Parameters")
    }
  }

  mutating func read(_ advertiser: AdvertiserStats) {
    guard let index = index(advertiser.address, .peripheral) else { return }
    if let interval = advertiser.interval {
      devices[index].vote(
        .advertisingInterval, Int(interval), .estimated, "shortest distance of advertising events",
        samples: Int(clamping: advertiser.gaps.count))
    }
    if advertiser.heardBy == nil {
      devices[index].vote(.channelSelection2, advertiser.supportsChannelSelection2, .said, "ChSel in ADV_IND")
    }
  }
}
