import AppSeam
import BabMutants
import BabOracles
import BabSim
public import Conformance

extension AppProtocol {
  /// Bring a Brain: hosts and clients in three dialects.
  public static let bab = AppProtocol(
    name: "bab", title: "Bab", roles: AppRole.allCases, dialects: DialectName.bab, mainDialect: .sdk,
    clauses: ClauseTexts.all, exemptions: ClauseExemptions.all, breakdownClause: "BAB 7.13", purposes: Catalog.all,
    mutants: Mutants.all, designs: PublishedDesigns.all, ics: ICS.Item.bab,
    oracles: OracleRegistry.all.map(OracleDescription.init), makeOracleReader: { OracleReader() },
    makeReference: { role, configuration in
      switch role {
      case .host: HostEngine(configuration: configuration)
      case .client: ClientEngine(configuration: configuration)
      }
    },
    makeConfiguration: { _, dialect, peerID, name in
      AppConfiguration(dialect: dialect.profile, peerID: peerID, displayName: name)
    },
    makeBed: { BabBed($0) }, chart: .bab, hello: .bab)
}
