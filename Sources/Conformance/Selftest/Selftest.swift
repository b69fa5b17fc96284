import BabSim

/// The suite tested by itself: every purpose passes the reference and fails a mutant, every mutant is failed.
public enum Selftest {
  /// One case on one built-in engine.
  public struct Trial: Hashable, Sendable {
    public var id: CaseID
    public var engine: String
  }

  /// The dialect mutants are tried in: `sdk`, or the first that the purpose applies to.
  static func mutantDialect(_ purpose: TestPurpose) -> DialectName {
    purpose.dialects.contains(.sdk) ? .sdk : purpose.dialects[0]
  }

  /// The reference in every dialect and with every seed, then every mutant of the role once.
  public static func trials(_ purposes: [TestPurpose], mutants: [Mutant] = Mutants.all) -> [Trial] {
    purposes.flatMap { purpose in
      let reference = purpose.dialects.flatMap { dialect in
        purpose.seeds.map {
          Trial(id: CaseID(purpose: purpose.id, dialect: dialect, seed: $0), engine: EngineCatalogue.reference)
        }
      }
      let id = CaseID(purpose: purpose.id, dialect: mutantDialect(purpose), seed: purpose.seeds[0])
      return reference + mutants.filter { $0.role == purpose.role }.map { Trial(id: id, engine: $0.name) }
    }
  }

  public static func run(_ trial: Trial) -> CaseResult? {
    guard let purpose = Catalog.named(trial.id.purpose),
      let engine = try? ImplementationUnderTest.builtIn(trial.engine, role: purpose.role)
    else { return nil }
    return CaseRunner.run(purpose, trial.id, on: engine)
  }
}
