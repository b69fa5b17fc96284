public import SimKernel
import Synchronization
public import VirtualRadio

/// What `babbench calibrate` measured of real or simulated traffic: phones and a room that scenarios can name.
///
/// `Docs/Formats/profile.md` has the format. Everything that reaches a run is an integer or a ratio.
public struct PhoneProfile: Hashable, Sendable {
  public struct Phone: Hashable, Sendable {
    /// After the `#` of a reference.
    public var name: String
    public var preset: PhonePreset
  }

  /// A figure for people and for comparisons; no run depends on it.
  public struct Measurement: Hashable, Sendable {
    public var what: String
    public var samples: Int
    public var least: SimDuration
    public var median: SimDuration
    public var p90: SimDuration
    public var p99: SimDuration
    public var greatest: SimDuration

    public init(
      what: String, samples: Int, least: SimDuration, median: SimDuration, p90: SimDuration, p99: SimDuration,
      greatest: SimDuration
    ) {
      self.what = what
      self.samples = samples
      self.least = least
      self.median = median
      self.p90 = p90
      self.p99 = p99
      self.greatest = greatest
    }
  }

  public var name: String
  public var phones: [Phone] = []
  /// Nil: the profile says nothing of the room.
  public var radio: RadioEnvironment?
  public var measured: [Measurement] = []

  public init(name: String) { self.name = name }
}

/// Where the profiles come from that a scenario names.
public struct ProfileSource: Sendable {
  /// The octets of a profile by the path that the scenario writes.
  let octets: @Sendable (_ path: String) -> Result<[UInt8], ScenarioProblems>
  /// How messages call the profile of that path.
  let name: @Sendable (_ path: String) -> String
  /// Whether what a scenario names lies on disk, where `name` says.
  package internal(set) var hasFiles = false

  public init(
    name: @escaping @Sendable (_ path: String) -> String = { $0 },
    octets: @escaping @Sendable (_ path: String) -> Result<[UInt8], ScenarioProblems>
  ) {
    self.name = name
    self.octets = octets
  }

  /// There are none: a scenario that names one is refused.
  public static let none = ProfileSource { path in
    let problem = ScenarioProblem(
      file: path, location: SourceLocation(line: 1, column: 1), message: "profiles cannot be read here")
    return .failure(ScenarioProblems(list: [problem]))
  }

  /// These, by the path that the scenario writes.
  public static func texts(_ profiles: [(path: String, text: String)]) -> ProfileSource {
    ProfileSource { path in
      if let profile = profiles.first(where: { $0.path == path }) { return .success(Array(profile.text.utf8)) }
      return none.octets(path)
    }
  }
}

/// Remembers the profiles that a scenario named while it was read, for a session that must replay without them.
public final class ProfileCollector: Sendable {
  private let inner: ProfileSource
  private let kept = Mutex<[SessionRecording.NamedText]>([])

  public init(_ inner: ProfileSource) { self.inner = inner }

  public var source: ProfileSource {
    var source = ProfileSource(name: inner.name) { path in
      let result = self.inner.octets(path)
      if case .success(let octets) = result {
        let text = SessionRecording.NamedText(path: path, text: String(decoding: octets, as: UTF8.self))
        self.kept.withLock { if !$0.contains(text) { $0.append(text) } }
      }
      return result
    }
    source.hasFiles = inner.hasFiles
    return source
  }

  public var texts: [SessionRecording.NamedText] { kept.withLock { $0 } }
}

extension DocumentKind {
  package static let profile = DocumentKind(
    noun: "a profile", word: "profile", least: "“profile:” with its name and “phones:”",
    whereToLook: "the path counts from the folder of the scenario; “babbench calibrate” writes profiles")
}

extension PhoneProfile {
  /// Reads a profile.
  /// - Parameter file: how messages call it.
  public static func read(octets: [UInt8], file: String) -> Result<PhoneProfile, ScenarioProblems> {
    ScenarioReader.tree(octets: octets, file: file, kind: .profile).flatMap { tree in
      let decoder = ScenarioDecoder(file: file)
      let profile = decoder.profile(tree)
      guard let profile, decoder.problems.isEmpty else { return .failure(decoder.sortedProblems) }
      return .success(profile)
    }
  }
}
