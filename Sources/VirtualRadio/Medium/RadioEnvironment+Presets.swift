import SimKernel

/// Rooms by name. Every value says where it comes from; "decision" marks what no source fixes.
extension RadioEnvironment {
  /// In the order in which they are listed to people.
  public static let presets: [(name: String, environment: RadioEnvironment)] = [
    ("ideal", .ideal), ("living-room", .livingRoom), ("convention-hall", .conventionHall),
    ("open-field", .openField), ("subway", .subway),
  ]

  public static func preset(named name: String) -> RadioEnvironment? {
    presets.first { $0.name == name }?.environment
  }

  /// Reception does not depend on level, and PDUs are lost only by collisions and receivers that do not listen.
  public static let ideal: RadioEnvironment = {
    var room = RadioEnvironment()
    room.isLevelDependent = false
    return room
  }()

  /// A furnished room with one busy access point.
  public static let livingRoom: RadioEnvironment = {
    var room = RadioEnvironment()
    // Furnished rooms: 2.5 to 3.0 in ITU-R P.1238-11, table 2 (residential, 2.4 GHz: N = 28).
    room.pathLossExponent = 270
    // Bodies and furniture between two players; decision within the 8 dB standard deviation of P.1238-11, table 5.
    room.shadowing = 800
    // Decision: what microwave ovens and the neighbours' headsets leave.
    room.packetLoss = .partsPerMillion(10_000)
    room.interferers = [
      // 20 dBm over 20 MHz (ETSI EN 300 328, 4.3.2.2) is 7 dBm in 1 MHz. Bursts of 2 ms and a load of a fifth:
      // decision, a video stream over 802.11n.
      Interferer(
        name: "access point", position: Position(x: 450, y: 350, z: 100), spectrum: .wifi(6), power: 700,
        activity: .carrierSense(airtimePermille: 200, meanFrame: .milliseconds(2)))
    ]
    return room
  }()

  /// A hall full of people: three busy Wi-Fi channels, bodies in the way, bursts.
  public static let conventionHall: RadioEnvironment = {
    var room = RadioEnvironment()
    // Office and commercial rooms: N = 30 and 22 in ITU-R P.1238-11, table 2; people make the larger one likely.
    room.pathLossExponent = 300
    // Two people between two players cost about this at 2.4 GHz; decision.
    room.shadowing = 1_500
    // Man-made noise some 4 dB above the thermal one; decision.
    room.noiseFloor = -10_000
    room.packetLoss = .partsPerMillion(20_000)
    // A crowd that passes through a line of sight: decision, half a second in ten.
    room.bursts = BurstLoss(
      meanGood: .milliseconds(9_500), meanBad: .milliseconds(500), lossInGood: .never,
      lossInBad: .partsPerMillion(600_000))
    // Channels 1, 6 and 11 do not overlap, so a planned hall uses these. Loads: decision, a full hall.
    room.interferers = [(1, -1_200, 800, 250), (6, 1_200, -800, 333), (11, 0, 1_500, 250)].map {
      channel, x, y, airtime in
      Interferer(
        name: "access point \(channel)", position: Position(x: x, y: y, z: 400), spectrum: .wifi(channel), power: 700,
        activity: .carrierSense(airtimePermille: airtime, meanFrame: .milliseconds(2)))
    }
    return room
  }()

  /// An open field without other transmitters.
  public static let openField: RadioEnvironment = {
    var room = RadioEnvironment()
    // Free space (ITU-R P.525-4) at first; the ground's reflection makes it a little worse at phone height. Decision.
    room.pathLossExponent = 210
    room.shadowing = 200
    return room
  }()

  /// A carriage: a metal tube that guides waves, full of bodies and headsets, and tunnels that cut it off.
  public static let subway: RadioEnvironment = {
    var room = RadioEnvironment()
    // Along a metal tube loss grows more slowly than in free space: N = 18 … 20 for corridors in P.1238-11, 3.1.
    room.pathLossExponent = 180
    room.shadowing = 2_000
    room.noiseFloor = -9_800
    room.packetLoss = .partsPerMillion(30_000)
    // Doors open, people push past: decision, 300 ms in four seconds.
    room.bursts = BurstLoss(
      meanGood: .milliseconds(3_700), meanBad: .milliseconds(300), lossInGood: .never,
      lossInBad: .partsPerMillion(800_000))
    room.interferers = [
      Interferer(
        name: "carriage Wi-Fi", position: Position(x: 0, y: 300, z: 220), spectrum: .wifi(1), power: 700,
        activity: .carrierSense(airtimePermille: 100, meanFrame: .milliseconds(1)))
    ]
    return room
  }()
}
