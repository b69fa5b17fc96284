public import AppSeam
public import Bench
import Judging

extension ImplementationUnderTest {
  /// A program that speaks the IUT protocol, started again for every launch of the app.
  ///
  /// - Parameter ics: nil: what the program says in its hello; it is started once to hear it. When it cannot be heard,
  ///   everything counts as claimed, so that every case runs and shows why.
  public static func process(
    _ launch: ProgramLaunch, of app: AppProtocol, name: String, role: AppRole, dialects: [DialectName]? = nil,
    ics: ICS? = nil, seam: EngineSeam = .ble, limits: ProgramLimits = ProgramLimits()
  ) -> Self {
    let make: @Sendable (AppConfiguration) -> any AppEngine = { configuration in
      let hello = IUTHello(of: app, role: role, seam: seam, configuration: configuration)
      return ProcessEngine(launch, limits: limits, hello: hello)
    }
    var implementation = Self(of: app, name: name, role: role, dialects: dialects, makeEngine: make)
    implementation.seam = seam
    implementation.origin = Shell.line(launch.command)
    if let ics {
      implementation.ics = app.ordered(ics)
    } else {
      let dialect = implementation.dialects.first ?? app.mainDialect
      implementation.ics =
        greeting(launch, of: app, role: role, dialect: dialect, seam: seam, limits: limits)?.ics ?? app.everything
    }
    return implementation
  }

  /// What the program says when nothing is asked of it yet; nil when it does not come to that.
  static func greeting(
    _ launch: ProgramLaunch, of app: AppProtocol, role: AppRole, dialect: DialectName, seam: EngineSeam = .ble,
    limits: ProgramLimits
  ) -> IUTGreeting? {
    let configuration = app.configuration(role, dialect, peerID: "peer-iut", displayName: "iut")
    let engine = ProcessEngine(
      launch, limits: limits, hello: IUTHello(of: app, role: role, seam: seam, configuration: configuration))
    defer { engine.close() }
    return engine.greeting
  }
}
