import BluetoothWire

/// Who is who in captures: which controllers, addresses and ends of links are one device.
struct PictureDevices {
  /// What a record says of whose it is.
  enum Key: Hashable {
    case adapter(file: Int, number: UInt16)
    case address(BluetoothAddress)
    /// An end of a link whose address no capture shows.
    case end(link: Int, isCentral: Bool)
    /// A record that belongs to no device.
    case capture(Int)
    /// A PDU on the air that does not say whose it is.
    case stranger
  }

  private struct Entry {
    var addresses: [BluetoothAddress] = []
    var adapter: TrafficAdapter?
    var roles: [Role] = []
    var uses = 0
    var fallback = ""
  }

  private enum Role: String {
    case central, peripheral, advertiser
  }

  private var entries: [Entry] = []
  private var ofKey: [Key: Int] = [:]
  private var ofAddress: [BluetoothAddress: Int] = [:]
  /// By entry, the device that it is drawn as.
  private var lanes: [Int] = []
  private(set) var devices: [CapturePicture.Device] = []
  /// How many have no lane of their own.
  private(set) var merged = 0

  /// - Parameter advertisers: addresses by how many PDUs on the air are theirs, in the order of their appearance.
  init(
    adapters: [TrafficAdapter], links: [TrafficLink], advertisers: [(address: BluetoothAddress, count: Int)],
    others: [(key: Key, count: Int)], naming: Naming, limit: Int
  ) {
    for adapter in adapters {
      let key = Key.adapter(file: adapter.file, number: adapter.number)
      let entry = entry(adapter.addresses, key, adapter.name ?? naming.adapter(adapter))
      entries[entry].adapter = entries[entry].adapter ?? adapter
    }
    for link in links { add(link) }
    for (address, count) in advertisers {
      let entry = entry([address], .address(address), address.description)
      entries[entry].uses += count
      if entries[entry].roles.isEmpty { entries[entry].roles.append(.advertiser) }
    }
    for (key, count) in others {
      let name =
        if case .capture(let file) = key { naming.file(file) } else { "unknown" }
      let entry = ofKey[key] ?? entry([], key, name)
      entries[entry].uses += count
    }
    place(naming, limit)
  }

  /// The device of a record; −1 where it has none.
  func device(_ key: Key) -> Int {
    if case .address(let address) = key, let entry = ofAddress[address] { return lanes[entry] }
    guard let entry = ofKey[key] else { return -1 }
    return lanes[entry]
  }

  func device(of link: TrafficLink, isCentral: Bool) -> Int { device(Self.key(link, isCentral: isCentral)) }

  /// Who is at an end of a link: the device whose HCI was captured, or an address.
  static func key(_ link: TrafficLink, isCentral: Bool) -> Key {
    if let adapter = link.adapter, isCentral == (link.viewpoint != .host(.peripheral)) {
      return .adapter(file: adapter.file, number: adapter.number)
    }
    let address = isCentral ? link.central : link.peripheral
    return address.map { .address($0) } ?? .end(link: link.index, isCentral: isCentral)
  }

  private mutating func add(_ link: TrafficLink) {
    for isCentral in [true, false] {
      let known =
        isCentral ? [link.central, link.centralPrivate] : [link.peripheral, link.peripheralPrivate]
      let end = isCentral ? "central" : "peripheral"
      let addresses = known.compactMap(\.self)
      let entry = entry(
        addresses, Self.key(link, isCentral: isCentral),
        addresses.first?.description ?? "\(end) of connection \(link.index)")
      let role = isCentral ? Role.central : .peripheral
      if !entries[entry].roles.contains(role) { entries[entry].roles.append(role) }
      entries[entry].uses += 1
    }
  }

  /// The entry that has the key or one of the addresses, else a new one; it gets all of them.
  private mutating func entry(_ addresses: [BluetoothAddress], _ key: Key, _ fallback: String) -> Int {
    let known = ofAddress
    let found = ofKey[key] ?? addresses.lazy.compactMap { known[$0] }.first
    let place = found ?? entries.count
    if found == nil { entries.append(Entry(fallback: fallback)) }
    ofKey[key] = place
    for address in addresses where ofAddress[address] == nil {
      ofAddress[address] = place
      entries[place].addresses.append(address)
    }
    return place
  }

  private mutating func place(_ naming: Naming, _ limit: Int) {
    lanes = Array(repeating: -1, count: entries.count)
    let weight = entries.map { entry in
      entry.adapter != nil ? 3 : entry.roles.contains(.central) || entry.roles.contains(.peripheral) ? 2 : 1
    }
    let order = entries.indices.sorted { (weight[$1], entries[$1].uses, $0) < (weight[$0], entries[$0].uses, $1) }
    let shown = entries.count <= limit ? order : Array(order.prefix(limit - 1))
    for entry in shown.sorted(by: { (weight[$1], $0) < (weight[$0], $1) }) {
      lanes[entry] = devices.count
      devices.append(describe(entries[entry], naming))
    }
    merged = entries.count - shown.count
    guard merged > 0 else { return }
    for entry in entries.indices where lanes[entry] < 0 { lanes[entry] = devices.count }
    devices.append(
      CapturePicture.Device(
        name: "\(merged) others", role: "devices", about: ["of which little is seen"], addresses: []))
  }

  private func describe(_ entry: Entry, _ naming: Naming) -> CapturePicture.Device {
    let addresses = entry.addresses.map(\.description)
    let participant = naming.participants.first { addresses.contains($0.address) }
    let roles = entry.roles.map(\.rawValue).sorted()
    let name = participant?.name ?? entry.adapter?.name ?? naming.names.name(of: entry.addresses)
    let role = participant?.role ?? (roles.isEmpty ? "device" : roles.joined(separator: ", "))
    let about = addresses + (entry.adapter.map { [naming.adapter($0)] } ?? [])
    return CapturePicture.Device(
      name: name ?? entry.fallback, role: role, about: about, addresses: addresses)
  }

  /// What is known of names.
  struct Naming {
    var names: PeerNames
    var participants: [TrafficParticipant]
    /// What reports call the captures.
    var files: [String]

    func file(_ index: Int) -> String { files.indices.contains(index) ? files[index] : "capture \(index)" }

    func adapter(_ adapter: TrafficAdapter) -> String {
      "HCI of \(file(adapter.file))" + (adapter.number == 0 ? "" : ", adapter \(adapter.number)")
    }
  }
}
