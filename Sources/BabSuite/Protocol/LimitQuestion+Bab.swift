import Conformance

extension [LimitQuestion] {
  /// Up to where a lobby of eight can be played.
  static let bab: [LimitQuestion] = [
    inRoom(
      "ideal-players", "Clients in an ideal room with ideal phones", "devices.client.count=1..7",
      "p99 turn < 500ms in 99% of worlds", ideal, worlds: 2_000),
    inRoom(
      "ideal-packet-loss", "Packet loss in an ideal room with ideal phones", "radio.packet-loss=0%..60%",
      "p90 turn < 1s in 99% of worlds", ideal, worlds: 2_000),
    inRoom("packet-loss", "Packet loss", "radio.packet-loss=0%..80%", played),
    inRoom("packet-loss-turn", "Packet loss, for turns in time", "radio.packet-loss=0%..60%", inTime),
    inRoom(
      "distance", "Distance of the clients from the host", "devices.client.radius=1 m..300 m", played,
      bracket: .init("41 m", "162 m", budget)),
    inRoom(
      "distance-open-field", "Distance in an open field", "devices.client.radius=1 m..2000 m", played,
      ["radio=open-field"], bracket: .init("228 m", "696 m", budget)),
    inRoom("crowd", "Lobbies of eight in one room, 5 m apart", "lobbies=1..12", played, worlds: 60),
    inRoom("crowd-turn", "Lobbies of eight in one room, for turns in time", "lobbies=1..12", inTime, worlds: 60),
    inRoom(
      "beacons", "Beacons around the host", "devices.beacon.count=1..200", inTime,
      ["devices.beacon={ protocol: bystander, role: advertiser, count: 1, around: host, radius: 4 m }"], worlds: 100),
    inRoom(
      "wifi", "Airtime of a Wi-Fi station on channel 6, one metre from the host", "radio.interferers.1.airtime=1%..99%",
      inTime,
      ["radio={ preset: living-room, interferers: [{ name: wifi, at: [1, 0], wifi channel: 6, airtime: 10% }] }"]),
    inRoom(
      "noise", "Airtime of a transmitter on all channels, ten metres from the host",
      "radio.interferers.1.airtime=1%..99%", inTime,
      ["radio={ preset: living-room, interferers: [{ name: noise, at: [10, 0], rf channels: 0..39, airtime: 10% }] }"]),
    inRoom(
      "att-mtu", "Largest ATT_MTU of the host", "devices.host.phone.att-mtu=23..517", inTime,
      ["devices.host.phone={ preset: iphone }"]),
    inRoom("players", "Clients in the lobby", "devices.client.count=1..7", inTime),
    inRoom(
      "android-host", "Packet loss with an Android host and iPhones", "radio.packet-loss=0%..60%", inTime,
      ["devices.host.phone=android", "devices.client.phone=iphone"]),
    inRoom(
      "linux-host", "Packet loss with a Linux host and Android phones", "radio.packet-loss=0%..60%", inTime,
      ["devices.host.phone=linux"]),
  ]

  /// Everything that the scenario expects: a whole lobby within 30 s, a whole game within 4 min, and agreement.
  private static let played = "pass in 90% of worlds"
  private static let ideal = ["radio=ideal", "devices.host.phone=ideal", "devices.client.phone=ideal"]
  private static let inTime = "p90 turn < 3s in 90% of worlds"

  /// Path loss grows with the logarithm of the distance; Docs/physics.md, path-loss and signal-to-noise.
  private static let budget =
    "No device here sends with less power than an Android phone. Up to the lower distance its signal is 16.25 dB above"
    + " the noise with the room's greatest shadowing, and no bit is lost by noise; beyond the upper one it is 8.1 dB"
    + " above it without any shadowing, and of PDUs with 37 octets fewer than one in a thousand arrives."

  private static func inRoom(
    _ name: String, _ title: String, _ limit: String, _ claim: String, _ settings: [String] = [], worlds: Int = 200,
    bracket: LimitQuestion.Bracket? = nil
  ) -> LimitQuestion {
    LimitQuestion(
      name, title, in: "lobby-in-a-room", settings: settings, limit: limit, claim: claim, worlds: worlds,
      bracket: bracket)
  }
}
