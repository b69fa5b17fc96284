public import Bench

extension Players {
  /// Bab with the engine that keeps every clause, and no other; nobody judges. `Players.bab` of `BabSuite` has all.
  public static let babReference = Players(reference: BabApp(), make: { BabEngines.reference($0) })
}
