import AppSeam
import Conformance
import SimKernel

/// The app of a device that is a program under test.
///
/// It is started when its first input comes: a world makes every engine once more than it needs, to see that its name
/// is known.
final class SeatedProgram: FallibleEngine {
  private let make: () -> any AppEngine
  private var engine: (any AppEngine)?

  init(_ make: @escaping () -> any AppEngine) { self.make = make }

  private var fallible: (any FallibleEngine)? { engine as? any FallibleEngine }

  var failure: IUTFailure? { fallible?.failure }
  var log: String { fallible?.log ?? "" }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    let engine = engine ?? make()
    self.engine = engine
    return engine.handle(input, at: now)
  }

  func close() { fallible?.close() }
}
