import VirtualRadio

/// What is deliberately wrong with the world of a measurement; nothing, as a rule.
package struct Distortion: Sendable {
  /// Changes the room after the law has set it up.
  var room: @Sendable (inout RadioEnvironment) -> Void = { _ in }
  /// Changes each radio after the law has set it up.
  var radio: @Sendable (inout RadioConfiguration, Int) -> Void = { _, _ in }

  package static let none = Distortion()

  static func room(_ change: @escaping @Sendable (inout RadioEnvironment) -> Void) -> Distortion {
    Distortion(room: change)
  }

  static func radio(_ change: @escaping @Sendable (inout RadioConfiguration, Int) -> Void) -> Distortion {
    Distortion(radio: change)
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
