public import Conformance

extension AppProtocol {
  /// Devices that are only in the room. Nothing is claimed of them, and nobody's engine is tested as one.
  public static let bystander = AppProtocol(
    BystanderApp(), title: "Bystander", clauses: [], exemptions: [], breakdownClause: "", purposes: [], mutants: [],
    designs: [], ics: [], oracles: [], makeOracleReader: { JointJudge([]) },
    makeReference: { BystanderApp.makeEngine($0) },
    makeBed: { TestBed($0, testers: [:]) }, chart: .bystander, traffic: nil)
}
