package import AppSeam

/// The engines that keep every clause.
package enum BeamEngines {
  /// A guest for every role but `host`.
  package static func reference(_ role: AppRole, _ configuration: BeamConfiguration) -> any AppEngine {
    role == .beamHost ? HostEngine(configuration) : GuestEngine(configuration)
  }

  package static func reference(_ app: AppConfiguration) -> any AppEngine {
    reference(app.role, BeamConfiguration(app))
  }
}
