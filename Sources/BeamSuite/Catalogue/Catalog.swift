import Conformance

/// All test purposes of BeamScribe, in the order in which reports list them.
enum Catalog {
  static var all: [TestPurpose] { [] }
}
