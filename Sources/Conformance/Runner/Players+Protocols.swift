public import Bench

extension Players {
  /// Every engine of these protocols by its name, the reference and the mutants, judged by all of their oracles; their
  /// apps may be programs. What a scenario claims of measures is judged by `babbench run` only.
  public init(_ protocols: [AppProtocol]) {
    self.init(
      language: ScenarioLanguage(protocols), engines: protocols.engines,
      makeReferee: { OracleReferee(protocols.judge(of: $0)) }, makePrograms: { ProgramCrew(protocols) })
  }
}
