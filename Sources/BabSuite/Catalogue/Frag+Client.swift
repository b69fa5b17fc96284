import AppSeam
import BabSim
import Conformance

/// FRAG, client: framing (BAB 3.1 to 3.19).
extension Catalog {
  static let fragClient: [TestPurpose] =
    fragSending(.client) + fragOrder(.client) + fragRepeats(.client) + fragTimes(.client) + fragContradictions(.client)
    + fragLimits(.client) + fragReports(.client)
}
