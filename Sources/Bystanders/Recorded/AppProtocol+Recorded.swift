public import Conformance

extension AppProtocol {
  /// Devices that a capture shows, and apps that talk with them. Nothing is claimed of either.
  public static let recorded = AppProtocol(
    RecordedApp(), title: "Recorded", clauses: [], exemptions: [], breakdownClause: "", purposes: [], mutants: [],
    designs: [], ics: [], oracles: [], makeOracleReader: { JointJudge([]) },
    makeReference: { RecordedApp.makeEngine($0) },
    makeBed: { TestBed($0, testers: [:]) }, chart: .bystander, traffic: nil)
}
