import Conformance

/// The test bed of BeamScribe.
final class BeamBed: TestBed {
  init(_ setup: CaseSetup) { super.init(setup, testers: [:]) }
}
