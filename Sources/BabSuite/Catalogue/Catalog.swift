public import AppSeam
import BabSim
public import Conformance

/// Every test purpose of Bab, in the order in which reports list them.
public enum Catalog {
  public static let all: [TestPurpose] = bab

  public static func named(_ id: String) -> TestPurpose? { all.first { $0.id == id } }

  /// The purposes for engines of a role.
  public static func all(role: AppRole) -> [TestPurpose] { all.filter { $0.role == role } }
}

extension TestPurpose {
  /// A purpose of Bab: the second part of its id is the role of the implementation under test, the bench plays the
  /// other one.
  init(
    _ id: String, _ clauses: [String], _ purpose: String, initial: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], excludes: [ICS.Item] = [], dialects: [DialectName] = DialectName.bab, seeds: [UInt64] = [1],
    testers: Int = 1,
    arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    procedure: @escaping @Sendable (BabBed) throws -> Void
  ) {
    let isClient = id.split(separator: "/").dropFirst().first == "CLIENT"
    self.init(
      id, role: isClient ? .client : .host, peers: isClient ? .host : .client, clauses, purpose, initial: initial,
      expects: expectedOutcomes, needs: needs, excludes: excludes, dialects: dialects, seeds: seeds, testers: testers,
      arrange: arrange
    ) { bed in
      guard let bed = bed as? BabBed else { throw bed.inconclusive("\(id) is for a test bed of Bab") }
      try procedure(bed)
    }
  }
  /// A purpose for a host under test whose procedure is handed its first client.
  init(
    _ id: String, _ clauses: [String], _ purpose: String, initial: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], excludes: [ICS.Item] = [], dialects: [DialectName] = DialectName.bab, seeds: [UInt64] = [1],
    testers: Int = 1, arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    procedure: @escaping @Sendable (BabBed, ClientTester) throws -> Void
  ) {
    self.init(
      id, clauses, purpose, initial: initial, expects: expectedOutcomes, needs: needs, excludes: excludes,
      dialects: dialects, seeds: seeds, testers: testers, arrange: arrange,
      procedure: { t in try procedure(t, t.clients[0]) })
  }

  /// … its first two clients.
  init(
    _ id: String, _ clauses: [String], _ purpose: String, initial: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], excludes: [ICS.Item] = [], dialects: [DialectName] = DialectName.bab, seeds: [UInt64] = [1],
    testers: Int = 1, arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    procedure: @escaping @Sendable (BabBed, ClientTester, ClientTester) throws -> Void
  ) {
    self.init(
      id, clauses, purpose, initial: initial, expects: expectedOutcomes, needs: needs, excludes: excludes,
      dialects: dialects, seeds: seeds, testers: testers, arrange: arrange,
      procedure: { t in try procedure(t, t.clients[0], t.clients[1]) })
  }

  /// … its first three clients.
  init(
    _ id: String, _ clauses: [String], _ purpose: String, initial: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], excludes: [ICS.Item] = [], dialects: [DialectName] = DialectName.bab, seeds: [UInt64] = [1],
    testers: Int = 1, arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    procedure: @escaping @Sendable (BabBed, ClientTester, ClientTester, ClientTester) throws -> Void
  ) {
    self.init(
      id, clauses, purpose, initial: initial, expects: expectedOutcomes, needs: needs, excludes: excludes,
      dialects: dialects, seeds: seeds, testers: testers, arrange: arrange,
      procedure: { t in try procedure(t, t.clients[0], t.clients[1], t.clients[2]) })
  }

  /// A purpose for a client under test whose procedure is handed its host.
  static func client(
    _ id: String, _ clauses: [String], _ purpose: String, initial: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], dialects: [DialectName] = DialectName.bab, seeds: [UInt64] = [1], testers: Int = 1,
    arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    procedure: @escaping @Sendable (BabBed, HostTester) throws -> Void
  ) -> TestPurpose {
    TestPurpose(
      id, clauses, purpose, initial: initial, expects: expectedOutcomes, needs: needs, dialects: dialects, seeds: seeds,
      testers: testers, arrange: arrange, procedure: { t in try procedure(t, t.hosts[0]) })
  }
}
