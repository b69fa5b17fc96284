/// A program that is the app of a device: it speaks Docs/Formats/iut-protocol.md.
///
/// The device says the rest of what it is told: role, dialect, names, the settings of its protocol.
public struct ScenarioProgram: Hashable, Sendable {
  /// As the scenario has it, for people: without the folder in which it was found.
  public var words: [String]
  public var launch: ProgramLaunch
  public var seam = EngineSeam.ble
  public var limits = ProgramLimits()
  /// It reports nothing of what it shows, so nobody asks what it shows; its peers are asked.
  public var isMute = false

  public init(words: [String], launch: ProgramLaunch) {
    self.words = words
    self.launch = launch
  }

  /// As reports call it.
  public var name: String { words.joined(separator: " ") }
}

extension Scenario {
  /// Devices whose app is a program, by their index.
  public var programs: [Int] { devices.indices.filter { devices[$0].program != nil } }
}
