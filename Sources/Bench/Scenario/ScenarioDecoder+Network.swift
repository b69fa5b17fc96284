import AppSeam
import SimKernel
import VirtualNetwork

extension ScenarioDecoder {
  /// What is beside the radio; nil: nothing, or what is written is wrong and was noted.
  func network(_ tree: YAMLTree?, isUsed: Bool) -> ScenarioNetwork? {
    guard let tree else { return isUsed ? .named("ideal") : nil }
    if case .scalar = tree.value, !tree.isEmpty {
      guard let name = choice(tree, "network", from: KeyTable.networkPresets) else { return nil }
      if name == KeyTable.noNetwork, isUsed {
        note(tree.location, "an app of this scenario speaks over a network; write another one than “none”")
      }
      return .named(name)
    }
    guard let fields = fields(tree, .network) else { return nil }
    var network = ScenarioNetwork.named("ideal")
    if let tree = fields["preset"] {
      network = choice(tree, "preset", from: KeyTable.networkPresets.filter { $0 != KeyTable.noNetwork })
        .flatMap(ScenarioNetwork.named)
    }
    guard var network else { return nil }
    if let tree = fields["access point"] { accessPoint(tree, into: &network) }
    if let tree = fields["awdl"] { peerToPeer(tree, into: &network) }
    paths(fields, into: &network.room)
    return network
  }

  private func isNone(_ tree: YAMLTree) -> Bool {
    if case .scalar(KeyTable.noNetwork, _) = tree.value { return true }
    return false
  }

  private func accessPoint(_ tree: YAMLTree, into network: inout ScenarioNetwork) {
    if isNone(tree) {
      network.room.accessPoint = nil
      return
    }
    guard let fields = fields(tree, .accessPoint) else { return }
    network.room.air = .shared
    var point = network.room.accessPoint ?? AccessPoint()
    if let tree = fields["at"], let place = position(tree, "“at”") { network.accessPoint = place }
    if let tree = fields["channel"], let number = integer(tree, "“channel”", 1...177) {
      if (14...35).contains(number) {
        note(tree.location, "there is no channel \(number); write 1 to 13, or 36 and above")
      }
      point.channel = WiFiChannel(number < 14 ? .twoPointFour : .five, number)
    }
    if let tree = fields["rate"], let megabits = integer(tree, "“rate”", 6...54) {
      if WiFiRate.ofdmMegabits.contains(megabits) {
        point.rate = .ofdm(megabits: megabits)
      } else {
        note(tree.location, "OFDM has no rate of \(megabits) Mbit/s; write 6, 9, 12, 18, 24, 36, 48 or 54")
      }
    }
    if let tree = fields["isolation"], let value = boolean(tree, "“isolation”") { point.isolates = value }
    if let tree = fields["multicast"], let value = boolean(tree, "“multicast”") { point.forwardsMulticast = value }
    if let tree = fields["encrypted"], let value = boolean(tree, "“encrypted”") { point.isEncrypted = value }
    network.room.accessPoint = point
  }

  private func peerToPeer(_ tree: YAMLTree, into network: inout ScenarioNetwork) {
    network.hasPeerToPeer = !isNone(tree)
    guard network.hasPeerToPeer, let fields = fields(tree, .peerToPeer) else { return }
    var room = network.room
    defer { network.room = room }
    room.air = .shared
    if let tree = fields["asleep"], let value = boolean(tree, "“asleep”") { room.peerToPeer.sleeps = value }
    if let tree = fields["channel"], let number = integer(tree, "“channel”", 44...149) {
      switch number {
      case 44: room.peerToPeer.upperChannel = WiFiChannel(.five, 44)
      case 149: room.peerToPeer.upperChannel = .social149
      default: note(tree.location, "AWDL has no social channel \(number); write 44 or 149")
      }
    }
    if let tree = fields["search"], let range = durationRange(tree, "“search”") { room.peerToPeer.search = range }
  }

  private func paths(_ fields: Fields, into room: inout NetworkRoom) {
    if let tree = fields["delay"], let value = duration(tree, "“delay”") { room.path.delay = value }
    if let tree = fields["loss"], let value = probability(tree, "“loss”") { room.path.loss = .independent(value) }
    if let tree = fields["bandwidth"],
      let value = quantity(tree, "“bandwidth”", .rate, 1_000...10_000_000_000, "1 kbit/s to 10000 Mbit/s")
    {
      room.path.bitsPerSecond = value
    }
    if let tree = fields["pieces"], let value = integer(tree, "“pieces”", 1...65_536) {
      room.chopping = .drawn(upTo: value)
    }
  }

  /// What a device has of the network.
  func interfaces(_ tree: YAMLTree) -> [NetworkInterface]? {
    guard let items = items(tree, "“interfaces”") else { return nil }
    let words = items.compactMap { choice($0, "interface", from: KeyTable.interfaces) }
    return words.count == items.count
      ? NetworkInterface.allCases.filter { words.contains($0.rawValue) } : nil
  }
}
