public import AppSeam
public import SimKernel

/// Starts the programs of one world that are apps, and watches over them. Whoever can start processes gives a world one
/// of these; the world itself knows none.
public protocol WorldPrograms: AnyObject {
  /// The app of a device for one launch: a process of its own, which ends when the world lets go of the engine.
  ///
  /// Never throws: what goes wrong shows in `breakdown`.
  func start(_ program: ScenarioProgram, _ configuration: AppConfiguration) -> any AppEngine
  /// What went wrong first; nil: nothing has. The world ends by it.
  var breakdown: AppBreakdown? { get }
  /// Ends what still runs; once, at the end of the run.
  func end(at now: SimInstant)
  /// What every program wrote for people.
  var logs: [AppLog] { get }
}

/// A scenario has a program, and whoever runs it starts none.
package struct NoPrograms: Error, CustomStringConvertible {
  package var device: String
  package var description: String { "the app of \(device) is a program, and programs are not started here" }
}
