public import AppSeam
package import Bench
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
  package var arrange: @Sendable (inout Stage) -> Void
  /// Drives the case; returning is pass, `TestStop` any other verdict.
  package var procedure: @Sendable (TestBed) throws -> Void

  package init(
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

  /// The group, the third part of the id, for example `LOBBY`.
  public var group: String { id.split(separator: "/").dropFirst(2).first.map(String.init) ?? "" }
}

/// What a test purpose may change before its world is made.
package struct Stage {
  package var scenario: Scenario
  package let iutIndex: Int

  package var iut: Device {
    get { scenario.devices[iutIndex] }
    set { scenario.devices[iutIndex] = newValue }
  }

  /// The lower testers, in their order.
  package var testers: [Device] {
    get { scenario.devices.indices.filter { $0 != iutIndex }.map { scenario.devices[$0] } }
    set {
      let places = scenario.devices.indices.filter { $0 != iutIndex }
      for (place, device) in zip(places, newValue) { scenario.devices[place] = device }
    }
  }

  /// The largest ATT_MTU both sides can agree to, on every link.
  package mutating func setATTMTU(_ attMTU: Int) {
    for index in scenario.devices.indices {
      scenario.devices[index].phone.att.serverMTU = attMTU
      scenario.devices[index].phone.att.clientMTU = attMTU
    }
  }
}
