import AppSeam

extension KeyTable {
  /// Without a network.
  static let noNetwork = "none"
  static let networkPresets = ScenarioNetwork.presets.map(\.preset) + [noNetwork]
  static let interfaces = NetworkInterface.allCases.map(\.rawValue)

  static let network = KeyTable(
    id: "network", title: "“network”",
    keys: [
      Key("preset", .word(networkPresets.filter { $0 != noNetwork }), "what the other keys change; default ideal"),
      Key("access point", .either([.word([noNetwork]), .table("accessPoint")]), "Wi-Fi for all that have it"),
      Key("awdl", .either([.word([noNetwork]), .table("awdl")]), "Wi-Fi from peer to peer"),
      Key("delay", .duration, "of all paths, each way, beside what the medium takes"),
      Key("loss", .loss, "of each packet that is sent"),
      Key("bandwidth", .text, "of each path, for example 10 Mbit/s; default as the medium has"),
      Key("pieces", .integer(1, 65_536), "received octets come in pieces of 1 to this many; default as they arrive"),
    ])

  static let accessPoint = KeyTable(
    id: "accessPoint", title: "“access point”",
    keys: [
      Key("at", .point, "where it stands; default [0, 0]"),
      Key("channel", .integer(1, 177), "1 to 13 are of 2.4 GHz, 36 and above of 5 GHz; default 44"),
      Key("rate", .integer(6, 54), "Mbit/s of OFDM: 6, 9, 12, 18, 24, 36, 48 or 54, which is the default"),
      Key("isolation", .boolean, "its stations cannot reach each other; default no"),
      Key("multicast", .boolean, "it forwards what is for a group; default yes"),
      Key("encrypted", .boolean, "frames are 16 octets longer; default no"),
    ])

  static let peerToPeer = KeyTable(
    id: "awdl", title: "“awdl”",
    keys: [
      Key("asleep", .boolean, "until an app asks for it; default yes"),
      Key("channel", .integer(44, 149), "the social channel of the 5 GHz band, 44 or 149; default 149"),
      Key("search", .durationRange, "until a sleeping interface sees another; default 2s..7.6s"),
    ])
}
