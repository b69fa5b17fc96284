import AppSeam
import BabOracles
import BabSim
public import Conformance

extension AppProtocol {
  /// Bring a Brain: hosts and clients in three dialects.
  public static let bab = AppProtocol(
    BabApp(), title: "Bab", clauses: ClauseTexts.all, exemptions: ClauseExemptions.all, breakdownClause: "BAB 7.13",
    purposes: Catalog.all, mutants: Mutants.all, partials: PartialEngines.all, designs: PublishedDesigns.all,
    ics: ICS.Item.bab,
    oracles: OracleRegistry.all.map(OracleDescription.init), makeOracleReader: { OracleReader() },
    makeReference: { BabEngines.reference($0) }, profiles: Profile.bab, assumedSteps: .bab,
    makeBed: { BabBed($0) }, chart: .bab, traffic: BabTraffic.self, glue: .bab,
    framing: .bab, milestones: .bab, limits: .bab, everythingIsDue: BabBounds.longest)
}
