public import SimKernel
public import VirtualRadio

/// Everything that repeats a live session: the run it was, and what came in from outside, when.
///
/// Docs/Formats/session.md has the file.
public struct SessionRecording: Hashable, Sendable {
  /// Grows when the meaning of a line changes; a reader refuses what is newer.
  public static let version = 1
  /// The word by which such a file is known.
  static let format = "babbench session"

  public var header: Header
  /// In the order in which they came in; instants never go back.
  public var entries: [Entry]
  /// nil: whoever recorded was ended before it could say how.
  public var end: End?
  /// What is missing at the end of the file, for people; nil for a whole one.
  public var remark: String?

  public init(header: Header, entries: [Entry] = [], end: End? = nil, remark: String? = nil) {
    self.header = header
    self.entries = entries
    self.end = end
    self.remark = remark
  }

  /// What a session begins with.
  public struct Header: Hashable, Sendable {
    /// The version of the bench that recorded; another one may have another digest.
    public var bench: String
    /// How messages call the scenario.
    public var file: String
    /// The scenario file, whole.
    public var scenario: String
    /// The profiles that the scenario names, whole, by the path it writes.
    public var profiles: [NamedText] = []
    /// `key=value`, in order.
    public var settings: [String]
    public var seed: UInt64
    /// Every seat that is not simulated.
    public var seats: [NamedSeat]
    /// How many devices could come while the session lived; the scenario is read with as many places.
    public var places = 0

    public init(
      bench: String, file: String, scenario: String, settings: [String], seed: UInt64, seats: [NamedSeat]
    ) {
      self.bench = bench
      self.file = file
      self.scenario = scenario
      self.settings = settings
      self.seed = seed
      self.seats = seats
    }
  }

  public struct NamedText: Hashable, Sendable {
    public var path: String
    public var text: String

    public init(path: String, text: String) {
      self.path = path
      self.text = text
    }
  }

  public struct NamedSeat: Hashable, Sendable {
    public var device: String
    public var seat: Seat

    public init(device: String, seat: Seat) {
      self.device = device
      self.seat = seat
    }
  }

  /// One thing that came in.
  public struct Entry: Hashable, Sendable {
    public enum What: Hashable, Sendable {
      /// At a seat: an index into the header's seats.
      case seat(Int, ForeignEvent)
      /// A step that somebody has asked for, in the words of scenario files; the device may be `LiveSession.room`.
      case step(device: String, words: String)
      /// A device has come.
      case arrival(Arrival)
      /// A device has left for good.
      case departure(device: String)
    }

    public var instant: SimInstant
    public var what: What

    public init(instant: SimInstant, what: What) {
      self.instant = instant
      self.what = what
    }

    public init(instant: SimInstant, seat: Int, event: ForeignEvent) {
      self.init(instant: instant, what: .seat(seat, event))
    }
  }

  /// A device that came while the session lived.
  public struct Arrival: Hashable, Sendable {
    public var name: String
    /// What a scenario file would have under its name.
    public var words: String
    /// Its host is external.
    public var isExternal: Bool

    public init(name: String, words: String, isExternal: Bool) {
      self.name = name
      self.words = words
      self.isExternal = isExternal
    }
  }

  /// How the session ended.
  public struct End: Hashable, Sendable {
    public var instant: SimInstant
    public var ending: RunOutcome.Ending
    /// As `TraceDigest.hexadecimal` writes it.
    public var digest: String

    public init(instant: SimInstant, ending: RunOutcome.Ending, digest: String) {
      self.instant = instant
      self.ending = ending
      self.digest = digest
    }
  }

  /// The scenario as it was played.
  /// - Parameter language: the protocols and engines that it may name.
  public func scenario(_ language: ScenarioLanguage) -> Result<Scenario, ScenarioProblems> {
    ScenarioReader.read(
      text: header.scenario, file: header.file, language: language,
      overrides: header.settings.compactMap { ScenarioOverride($0) },
      profiles: .texts(header.profiles.map { ($0.path, $0.text) })
    ).map { scenario in
      var scenario = scenario
      scenario.keepPlaces(header.places)
      return scenario
    }
  }
}

extension SessionRecording.Header {
  /// Who sits where, in the order of the scenario's devices; nil when a device is not there.
  func seats(in scenario: Scenario) -> [Seat]? {
    var seats = Array(repeating: Seat.simulated, count: scenario.devices.count)
    for named in self.seats {
      guard let index = scenario.devices.firstIndex(where: { $0.name == named.device }) else { return nil }
      seats[index] = named.seat
    }
    for name in Scenario.placeNames(places) {
      guard let index = scenario.devices.lastIndex(where: { $0.name == name }) else { return nil }
      seats[index] = .foreignHost
    }
    return seats
  }
}
