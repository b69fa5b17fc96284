public import Bench

extension Players {
  /// BeamScribe with the engine that keeps every clause, and no other; nobody judges. `Players.beamScribe` of
  /// `BeamSuite` has all.
  public static let beamScribeReference = Players(reference: BeamApp(), make: { BeamEngines.reference($0) })
}
