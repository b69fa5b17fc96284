public import BluetoothWire

/// What an end says about its controller: LL_VERSION_IND and LL_FEATURE_REQ or LL_FEATURE_RSP on the air, and the same
/// from its own HCI and from that of its peer.
public struct EndIdentity: Hashable, Sendable {
  /// As in Assigned Numbers, 2.1.
  public internal(set) var version: UInt8?
  public internal(set) var company: UInt16?
  public internal(set) var subversion: UInt16?
  /// Bit 0 first (Core v5.4, Vol 6, Part B, 4.6).
  public internal(set) var features: UInt64?

  public var isKnown: Bool { version != nil || features != nil }

  /// Version, company and subversion, one after the other.
  mutating func readVersion(_ octets: ArraySlice<UInt8>) {
    guard octets.count >= 5 else { return }
    version = octets.octet(at: 0)
    company = octets.word(at: 1)
    subversion = octets.word(at: 3)
  }

  mutating func readFeatures(_ octets: ArraySlice<UInt8>) {
    guard let low = octets.little(at: 0, 4), let high = octets.little(at: 4, 4) else { return }
    features = UInt64(low) | UInt64(high) << 32
  }

  /// LL_VERSION_IND, LL_FEATURE_REQ, LL_FEATURE_RSP, LL_PERIPHERAL_FEATURE_REQ, with their opcode.
  mutating func read(control payload: ArraySlice<UInt8>) {
    switch payload.first {
    case 0x0C: readVersion(payload.dropFirst())
    // A response has the features of both ends (4.6), so what an end said before is more.
    case 0x08, 0x0E: readFeatures(payload.dropFirst())
    case 0x09: if features == nil { readFeatures(payload.dropFirst()) }
    default: break
    }
  }
}

/// One device, whatever addresses it uses: a captured controller has one row.
public struct DeviceCounts: Hashable, Sendable {
  /// Its public address where a log of its controller has it, else what was seen; nil: a captured controller that says
  /// none.
  public var address: BluetoothAddress?
  /// Further addresses of the same controller.
  public var aliases: [BluetoothAddress] = []
  public var name: String?
  /// Whether a capture is of its HCI.
  public var isCaptured = false
  public var asCentral = 0
  public var asPeripheral = 0
  public var attPDUs = 0
  public var frames = 0
  public var frameOctets: Int64 = 0
  public var advertisements = 0
  public var scanResponses = 0
  public var level: Int64?

  /// All devices of a report: captured controllers first, then by their first appearance.
  public static func all(_ stats: TrafficStats) -> [DeviceCounts] {
    var devices: [DeviceCounts] = []
    var adapters: [(adapter: TrafficAdapter, place: Int)] = []
    // Looked up only.
    var index: [BluetoothAddress: Int] = [:]
    for adapter in stats.adapters {
      let addresses = adapter.adapter.addresses
      let main = adapter.adapter.publicAddress ?? addresses.last
      if let known = main.flatMap({ index[$0] }) ?? addresses.lazy.compactMap({ index[$0] }).first {
        adapters.append((adapter.adapter, known))
        devices[known].add(aliases: addresses)
        for address in addresses { index[address] = known }
        continue
      }
      adapters.append((adapter.adapter, devices.count))
      var device = DeviceCounts(address: main, name: adapter.adapter.name, isCaptured: true)
      device.add(aliases: addresses)
      for address in addresses { index[address] = devices.count }
      if let main { index[main] = devices.count }
      devices.append(device)
    }
    func place(_ address: BluetoothAddress) -> Int {
      if let known = index[address] { return known }
      index[address] = devices.count
      devices.append(DeviceCounts(address: address))
      return devices.count - 1
    }
    for link in stats.links {
      for isCentral in [true, false] {
        let own = link.isPeerCentral == !isCentral ? adapters.first { $0.adapter === link.link.adapter }?.place : nil
        let address = isCentral ? link.link.central : link.link.peripheral
        guard let here = own ?? address.map(place) else { continue }
        let sent = link.sent(byCentral: isCentral)
        if isCentral { devices[here].asCentral += 1 } else { devices[here].asPeripheral += 1 }
        devices[here].attPDUs += sent.attPDUs
        devices[here].frames += sent.frames
        devices[here].frameOctets += sent.frameOctets
      }
    }
    for advertiser in stats.advertisers {
      let here = place(advertiser.address)
      devices[here].advertisements += advertiser.advertisements
      devices[here].scanResponses += advertiser.scanResponses
      devices[here].name = devices[here].name ?? advertiser.name
      devices[here].level = devices[here].level ?? advertiser.level.mean
    }
    return devices
  }

  private mutating func add(aliases addresses: [BluetoothAddress]) {
    for other in addresses where other != address && !aliases.contains(other) { aliases.append(other) }
  }
}
