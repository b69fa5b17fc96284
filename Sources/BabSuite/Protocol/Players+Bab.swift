public import Bench
import Conformance

extension Players {
  /// Bab with all of its engines, and its oracles.
  public static let bab = Players([AppProtocol.bab])
}
