import AppSeam
import SimKernel
import VirtualNetwork
import VirtualRadio

extension Keys {
  /// Without a network.
  static let noNetwork = "none"
  static let networkPresets = ScenarioNetwork.presets.map(\.preset)
  static let interfaces = NetworkInterface.allCases.map(\.rawValue)

  static let network = KeyedMapping(
    "network", "“network”", of: ScenarioNetwork(room: .ideal, preset: "ideal")
  ) { network, keys in
    keys("preset", .word(networkPresets), "what the other keys change; default ideal")
    let isShared = network.room.air == .shared
    let spot = network.room.accessPoint.map { (point: $0, place: network.accessPoint) }
    keys(
      "access point", accessPoint.form(from: spot ?? (AccessPoint(), network.accessPoint)).orNone,
      "Wi-Fi for all that have it", value: isShared || spot == nil ? .some(spot) : nil
    ) { spot in
      network.room.accessPoint = spot?.point
      guard let spot else { return }
      network.accessPoint = spot.place
      network.room.air = .shared
    }
    let peers = network.hasPeerToPeer ? network.room.peerToPeer : nil
    keys(
      "awdl", peerToPeer.form(from: network.room.peerToPeer).orNone, "Wi-Fi from peer to peer",
      value: isShared || peers == nil ? .some(peers) : nil
    ) { peers in
      network.hasPeerToPeer = peers != nil
      guard let peers else { return }
      network.room.peerToPeer = peers
      network.room.air = .shared
    }
    paths(&network.room, keys)
  }

  private static func paths(_ room: inout NetworkRoom, _ keys: KeyVisitor) {
    keys("delay", &room.path.delay, .duration(), "of all paths, each way, beside what the medium takes")
    var loss: Ratio?
    if case .independent(let ratio) = room.path.loss { loss = ratio }
    keys("loss", .probability, "of each packet that is sent", value: loss) { room.path.loss = .independent($0) }
    keys(
      "bandwidth", &room.path.bitsPerSecond, .quantity(.text, .rate, 1_000...10_000_000_000),
      "of each path, for example 10 Mbit/s; default as the medium has")
    var pieces: Int?
    if case .drawn(let most) = room.chopping { pieces = most }
    keys(
      "pieces", .whole(1...65_536), "received octets come in pieces of 1 to this many; default as they arrive",
      value: pieces
    ) { room.chopping = .drawn(upTo: $0) }
  }

  static let accessPoint = KeyedMapping(
    "accessPoint", "“access point”", of: (point: AccessPoint(), place: Position(x: 0, y: 0))
  ) { spot, keys in
    keys("at", &spot.place, .point, "where it stands; default [0, 0]")
    keys(
      "channel", .whole(1...177), "1 to 13 are of 2.4 GHz, 36 and above of 5 GHz; default 44",
      value: spot.point.channel.number
    ) { number in
      if (14...35).contains(number) {
        keys.note("channel", "there is no channel \(number); write 1 to 13, or 36 and above")
      }
      spot.point.channel = WiFiChannel(number < 14 ? .twoPointFour : .five, number)
    }
    var rate: Int?
    if case .ofdm(let megabits) = spot.point.rate { rate = megabits }
    keys(
      "rate", .whole(6...54), "Mbit/s of OFDM: 6, 9, 12, 18, 24, 36, 48 or 54, which is the default", value: rate
    ) { megabits in
      spot.point.rate = .ofdm(megabits: megabits)
      if WiFiRate.ofdmMegabits.contains(megabits) { return }
      keys.note("rate", "OFDM has no rate of \(megabits) Mbit/s; write 6, 9, 12, 18, 24, 36, 48 or 54")
    }
    keys("isolation", &spot.point.isolates, .boolean, "its stations cannot reach each other; default no")
    keys("multicast", &spot.point.forwardsMulticast, .boolean, "it forwards what is for a group; default yes")
    keys("encrypted", &spot.point.isEncrypted, .boolean, "frames are 16 octets longer; default no")
  }

  static let peerToPeer = KeyedMapping("awdl", "“awdl”", of: PeerToPeerRules()) { rules, keys in
    keys("asleep", &rules.sleeps, .boolean, "until an app asks for it; default yes")
    keys(
      "channel", .whole(44...149), "the social channel of the 5 GHz band, 44 or 149; default 149",
      value: rules.upperChannel.number
    ) { number in
      rules.upperChannel = WiFiChannel(.five, number)
      if number != 44, number != 149 {
        keys.note("channel", "AWDL has no social channel \(number); write 44 or 149")
      }
    }
    keys("search", &rules.search, .durations, "until a sleeping interface sees another; default 2s..7.6s")
  }
}
