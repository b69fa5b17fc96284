public import AppSeam

/// The engines that keep every clause.
public enum BabEngines {
  /// A client for every role but `host`.
  public static func reference(_ role: AppRole, _ configuration: BabConfiguration) -> any AppEngine {
    role == .host ? HostEngine(configuration: configuration) : ClientEngine(configuration: configuration)
  }

  public static func reference(_ app: AppConfiguration) -> any AppEngine { reference(app.role, BabConfiguration(app)) }
}
