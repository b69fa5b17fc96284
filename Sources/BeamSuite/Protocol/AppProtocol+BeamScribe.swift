import AppSeam
import BeamOracles
import BeamScribe
public import Conformance

extension AppProtocol {
  /// BeamScribe: a host that transcribes, and its guests, over a network that BLE makes quick to find.
  public static let beamscribe = AppProtocol(
    BeamApp(), title: "BeamScribe", clauses: ClauseTexts.all, exemptions: [], breakdownClause: "BEAM 7.5",
    purposes: Catalog.all, mutants: BeamMutants.all, partials: PartialEngines.all, designs: [],
    ics: ICS.Item.beamScribe,
    oracles: BeamOracles.all.map(OracleDescription.init), makeOracleReader: { OracleReader.beamScribe() },
    makeReference: { BeamEngines.reference($0) }, makeBed: { BeamBed($0) }, chart: .beamScribe,
    traffic: BeamTraffic.self, milestones: .beamScribe, figures: .beamScribe,
    everythingIsDue: BeamBounds.longest)
}
