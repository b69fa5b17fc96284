public import BabSim
import Judging

extension ImplementationUnderTest {
  /// A program that speaks the IUT protocol, started anew for every launch of the app.
  ///
  /// - Parameter ics: nil: what the program says in its hello; it is started once to hear it. When it cannot be heard,
  ///   everything counts as claimed, so that every case runs and shows why.
  public static func process(
    _ launch: IUTLaunch, name: String, role: AppRole, dialects: [DialectName], ics: ICS? = nil,
    limits: IUTLimits = IUTLimits()
  ) -> Self {
    let make: @Sendable (BabConfiguration) -> any AppEngine = { configuration in
      // A configuration names its dialect; one that is changed beyond the three cannot be told over the pipe.
      let dialect = DialectName(rawValue: configuration.dialect.name) ?? .sdk
      return ProcessEngine(
        launch, limits: limits, hello: IUTHello(role: role, dialect: dialect, configuration: configuration))
    }
    var implementation = Self(name: name, role: role, dialects: dialects, makeEngine: make)
    implementation.origin = Shell.line(launch.command)
    implementation.ics =
      ics ?? greeting(launch, role: role, dialect: dialects.first ?? .sdk, limits: limits)?.ics ?? .everything
    return implementation
  }

  /// What the program says when nothing is asked of it yet; nil when it does not come to that.
  static func greeting(
    _ launch: IUTLaunch, role: AppRole, dialect: DialectName, limits: IUTLimits
  ) -> IUTGreeting? {
    let configuration = BabConfiguration(dialect: dialect.profile, peerID: "peer-iut", displayName: "iut")
    let engine = ProcessEngine(
      launch, limits: limits, hello: IUTHello(role: role, dialect: dialect, configuration: configuration))
    defer { engine.close() }
    return engine.greeting
  }
}
