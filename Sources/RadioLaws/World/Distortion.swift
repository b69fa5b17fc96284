import VirtualNetwork
import VirtualRadio

/// What is deliberately wrong with the world of a measurement; nothing, as a rule.
package struct Distortion: Sendable {
  /// Changes the room after the law has set it up.
  var room: @Sendable (inout RadioEnvironment) -> Void = { _ in }
  /// Changes each radio after the law has set it up.
  var radio: @Sendable (inout RadioConfiguration, Int) -> Void = { _, _ in }

  /// Changes the network's side of the room after the law has set it up.
  var network: @Sendable (inout NetworkRoom) -> Void = { _ in }
  /// Changes each device of the network after the law has set it up.
  var station: @Sendable (inout NetworkStation, Int) -> Void = { _, _ in }
  /// Changes what every device does with names.
  var names: @Sendable (inout NameSettings) -> Void = { _ in }

  package static let none = Distortion()

  static func room(_ change: @escaping @Sendable (inout RadioEnvironment) -> Void) -> Distortion {
    Distortion(room: change)
  }

  static func radio(_ change: @escaping @Sendable (inout RadioConfiguration, Int) -> Void) -> Distortion {
    Distortion(radio: change)
  }

  static func network(_ change: @escaping @Sendable (inout NetworkRoom) -> Void) -> Distortion {
    Distortion(network: change)
  }

  static func station(_ change: @escaping @Sendable (inout NetworkStation, Int) -> Void) -> Distortion {
    Distortion(station: change)
  }

  static func names(_ change: @escaping @Sendable (inout NameSettings) -> Void) -> Distortion {
    Distortion(names: change)
  }

  /// A world of devices with a network for a law.
  func networkBench(
    _ count: Int, in room: NetworkRoom, seed: UInt64 = 1, change: (inout NetworkStation, Int) -> Void = { _, _ in }
  ) -> NetworkBench {
    var changed = room
    network(&changed)
    let stations = (0..<count).map { index in
      var device = NetworkStation(name: "d\(index)")
      change(&device, index)
      station(&device, index)
      return device
    }
    return NetworkBench(stations, room: changed, seed: seed)
  }

  /// Devices of which only the names are there.
  func nameBench(_ count: Int, seed: UInt64) -> NameBench {
    var settings = NameSettings()
    names(&settings)
    return NameBench(count, seed: seed, settings: settings)
  }

  /// A world of radios for a law.
  func bench(
    _ count: Int, in room: RadioEnvironment = .lossless, seed: UInt64 = 1, wantsAir: Bool = false,
    change: (inout RadioConfiguration, Int) -> Void = { _, _ in }
  ) -> RadioBench {
    var environment = room
    self.room(&environment)
    let radios = RadioBench.radios(count) { configuration, index in
      change(&configuration, index)
      radio(&configuration, index)
    }
    return RadioBench(radios, environment: environment, seed: seed, wantsAir: wantsAir)
  }

  /// The air alone, with radios at some places.
  func probe(_ room: RadioEnvironment, at positions: [Position], seed: UInt64 = 1) -> MediumProbe {
    var environment = room
    self.room(&environment)
    return MediumProbe(environment: environment, seed: seed, positions: positions)
  }
}
