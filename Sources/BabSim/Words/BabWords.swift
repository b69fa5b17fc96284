public import AppSeam

extension AppRole {
  /// Opens a lobby: GAP Peripheral and GATT server (BAB 1.1).
  public static let host = AppRole(rawValue: "host")
  /// Joins one: GAP Central and GATT client.
  public static let client = AppRole(rawValue: "client")
}

extension AppInput {
  public static func user(_ action: BabAction) -> AppInput { .user(AppAction(action)) }
}

extension AppEffect {
  public static func report(_ report: BabReport) -> AppEffect { .report(AppReport(report)) }
}

extension AppAction {
  /// Nil for an action of another protocol.
  public var bab: BabAction? { among(BabAction.self) }
}

extension AppReport {
  /// Nil for a report of another protocol.
  public var bab: BabReport? { among(BabReport.self) }
}

extension AppEffect {
  /// Nil for everything but a report of Bab.
  public var bab: BabReport? {
    if case .report(let report) = self { return report.bab }
    return nil
  }
}

extension AppInput {
  /// Nil for everything but an action of Bab.
  public var bab: BabAction? {
    if case .user(let action) = self { return action.bab }
    return nil
  }
}

extension DialectName {
  public static let guide = DialectName(rawValue: "guide")
  public static let sdk = DialectName(rawValue: "sdk")
  public static let app = DialectName(rawValue: "app")
  /// The published ones, in the order in which reports list them.
  public static let bab: [DialectName] = [.guide, .sdk, .app]

  /// What the engines speak under this name; `sdk` for a name Bab does not know, which no reader of files lets pass.
  public var profile: Dialect { Dialect.named(rawValue) ?? .sdk }
}
