import BeamScribe
public import Conformance

extension AppProtocol {
  /// BeamScribe: a host that transcribes speech, and guests that read along, in two dialects.
  public static let beamscribe = AppProtocol(
    BeamApp(), title: "BeamScribe", clauses: BeamClauseTexts.all, exemptions: [], breakdownClause: "BEAM 7.5",
    purposes: BeamCatalog.all, mutants: [], designs: [], ics: ICS.Item.beamscribe,
    oracles: [], makeOracleReader: { JointJudge([]) },
    makeReference: { BeamEngines.reference($0) }, makeBed: { BeamBed($0) }, chart: .beamscribe, traffic: nil,
    milestones: .beamscribe)
}
