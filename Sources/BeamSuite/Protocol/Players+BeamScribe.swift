public import Bench
import Conformance

extension Players {
  /// BeamScribe with all of its engines, and its oracles.
  public static let beamScribe = Players([AppProtocol.beamscribe])
}
