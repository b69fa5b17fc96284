import AppSeam
import BabSim
import Conformance

/// FRAG, host: framing (BAB 3.1 to 3.19).
extension Catalog {
  static let fragHost: [TestPurpose] =
    fragSending(.host) + fragOrder(.host) + fragRepeats(.host) + fragTimes(.host) + fragContradictions(.host)
    + fragLimits(.host) + fragReports(.host)
}
