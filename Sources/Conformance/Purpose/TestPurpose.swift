public import AppSeam
public import Bench
import VirtualRadio

/// One thing that is tested, with how: what SIG test suites call a test purpose.
///
/// The procedure is code that drives lower testers over the virtual radio; its steps are recorded as they are done, so
/// what `babbench explain` prints is what runs.
public struct TestPurpose: Sendable {
  /// `GROUP/ROLE/FEATURE/BV|BI-nn-C`, for example `APP/HOST/LOBBY/BV-03-C`: valid (BV) or invalid (BI) behaviour of the
  /// peers; never reused.
  public var id: String
  /// The clauses of its protocol it judges, the one it is for first.
  public var clauses: [String]
  /// The role of the implementation under test, and of the peers that the bench plays.
  public var role: AppRole
  public var peers: AppRole
  /// One sentence.
  public var purpose: String
  /// How things stand before the procedure.
  public var initialCondition: String
  /// What is seen if the implementation conforms, all of it; one that admits several outcomes says "or".
  public var expectedOutcomes: [String]
  /// What the implementation must claim for this to apply.
  public var needs: [ICS.Item]
  /// What rules it out when it is claimed.
  public var excludes: [ICS.Item]
  public var dialects: [DialectName]
  /// One run per seed; a purpose without any draw needs one only.
  public var seeds: [UInt64]
  /// How many peers the bench plays.
  public var testers: Int
  /// Changes rooms, phones and the game before the world is made.
  public var arrange: @Sendable (inout Stage) -> Void
  /// Drives the case; returning is pass, `TestStop` any other verdict.
  public var procedure: @Sendable (TestBed) throws -> Void

  /// - Parameters:
  ///   - id: `GROUP/ROLE/FEATURE/BV|BI-nn-C`, unique in its protocol.
  ///   - role: of the implementation under test; `peers`: of the testers.
  ///   - clauses: ids, the one it is for first.
  ///   - purpose: one sentence.
  ///   - initial: how things stand before the procedure.
  ///   - seeds: a run for each; one is enough where nothing is drawn.
  ///   - testers: how many peers the bench plays.
  ///   - arrange: changes room, phones and settings before the world is made.
  ///   - procedure: drives the case; returning is pass, `TestStop` any other verdict.
  public init(
    _ id: String, role: AppRole, peers: AppRole, _ clauses: [String], _ purpose: String, initial: String,
    expects expectedOutcomes: [String], needs: [ICS.Item], excludes: [ICS.Item] = [], dialects: [DialectName],
    seeds: [UInt64], testers: Int,
    arrange: @escaping @Sendable (inout Stage) -> Void,
    procedure: @escaping @Sendable (TestBed) throws -> Void
  ) {
    self.id = id
    self.role = role
    self.peers = peers
    self.clauses = clauses
    self.purpose = purpose
    initialCondition = initial
    self.expectedOutcomes = expectedOutcomes
    self.needs = needs
    self.excludes = excludes
    self.dialects = dialects
    self.seeds = seeds
    self.testers = testers
    self.arrange = arrange
    self.procedure = procedure
  }

  /// A sentence about one tester as a sentence about all of them: `client-2 is joined` is `a client is joined`.
  public func general(_ text: String) -> String {
    let numbered = peers.rawValue + "-"
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard word.hasPrefix(numbered) else { return String(word) }
      let rest = word.dropFirst(numbered.count).drop { $0.isNumber }
      return "a \(peers.rawValue)\(rest)"
    }.joined(separator: " ")
  }

  /// The group, the third part of the id, for example `LOBBY`.
  public var group: String { id.split(separator: "/").dropFirst(2).first.map(String.init) ?? "" }
}

/// What a test purpose may change before its world is made.
public struct Stage {
  /// What the world of the case is made of.
  public var scenario: Scenario
  /// The dense index of the implementation under test.
  public private(set) var iutIndex: Int
  /// Lower testers that the case is played without; they come after those of `testers`.
  public private(set) var absent: [Device] = []

  /// A stage of a scenario in which one device is the implementation under test.
  public init(scenario: Scenario, iutIndex: Int) {
    self.scenario = scenario
    self.iutIndex = iutIndex
  }

  /// The device of the implementation under test.
  public var iut: Device {
    get { scenario.devices[iutIndex] }
    set { scenario.devices[iutIndex] = newValue }
  }

  /// The lower testers, in their order.
  public var testers: [Device] {
    get { scenario.devices.indices.filter { $0 != iutIndex }.map { scenario.devices[$0] } }
    set {
      let places = scenario.devices.indices.filter { $0 != iutIndex }
      for (place, device) in zip(places, newValue) { scenario.devices[place] = device }
    }
  }

  /// Makes a part as it is in the stage that no purpose has arranged.
  mutating func undo(_ part: StageCut.Part, as plain: Stage) {
    let devices = zip(scenario.devices.indices, plain.scenario.devices)
    switch part {
    case .radio:
      scenario.radio = plain.scenario.radio
      scenario.radioPreset = plain.scenario.radioPreset
    case .network: scenario.network = plain.scenario.network
    case .phones: for (index, device) in devices { scenario.devices[index].phone = device.phone }
    case .names: for (index, device) in devices { scenario.devices[index].displayName = device.displayName }
    case .game: scenario.apps = plain.scenario.apps
    }
  }

  /// Keeps the first so many testers, at least one.
  mutating func keepTesters(_ count: Int) {
    let leaving = scenario.devices.indices.filter { $0 != iutIndex }.dropFirst(max(1, count))
    absent = leaving.map { scenario.devices[$0] } + absent
    for index in leaving.reversed() {
      scenario.devices.remove(at: index)
      if index < iutIndex { iutIndex -= 1 }
    }
  }

  /// The largest ATT_MTU both sides can agree to, on every link.
  public mutating func setATTMTU(_ attMTU: Int) {
    for index in scenario.devices.indices {
      scenario.devices[index].phone.att.serverMTU = attMTU
      scenario.devices[index].phone.att.clientMTU = attMTU
    }
  }
}
