public import AppSeam

/// What a report says to somebody who measures: that a device takes part, or that it shows something which others show
/// too.
public enum AppMilestone: Hashable, Sendable {
  /// The device takes part from now on: its lobby has it, and it knows.
  case seated
  /// It takes part no more. By order: a person wanted that, and nothing is lost.
  case unseated(isOrdered: Bool)
  /// It shows a thing of a kind: `kind` is an index in `AppMilestones.kinds`, `thing` is equal on all devices that show
  /// the same one, and different for different ones.
  case shows(kind: Int, thing: String)
  /// It shows all these at once, in their order, because it has been away.
  case restored(kind: Int, things: [String])
}

/// What can be measured of an app beyond what its platform shows: how its reports are read.
public struct AppMilestones: Sendable {
  /// Things that a leader shows first and all others after it.
  public struct Kind: Hashable, Sendable {
    /// One word, for programs and conditions.
    public var name: String
    /// In the plural, for people: “lines of the history”.
    public var title: String
    /// Whoever comes back must show all of them, as `restored` or one by one.
    public var isHistory: Bool

    public init(_ name: String, title: String, isHistory: Bool) {
      self.name = name
      self.title = title
      self.isHistory = isHistory
    }
  }

  /// Something that the app's own meters take, sample by sample; less of it is better.
  public struct Figure: Hashable, Sendable {
    public enum Unit: Hashable, Sendable {
      /// Nanoseconds.
      case time
      case count
    }

    /// For programs and conditions: letters and hyphens.
    public var name: String
    /// For people.
    public var title: String
    public var unit: Unit
    /// From when to when, or what of what; each sample of it.
    public var definition: String

    public init(_ name: String, title: String, _ unit: Unit, _ definition: String) {
      self.name = name
      self.title = title
      self.unit = unit
      self.definition = definition
    }
  }

  public let kinds: [Kind]
  public let figures: [Figure]
  /// Reads everything that passes between one app and its platform; nil: `read` says all.
  public let makeMeter: (@Sendable (_ leads: Bool) -> any AppMeter)?
  /// Nil for a report that is none. Called for each report of a run, so it must be quick.
  public let read: @Sendable (AppReport) -> AppMilestone?

  /// - Parameter read: of an app whose reports say all by themselves.
  public init(_ kinds: [Kind], read: @escaping @Sendable (AppReport) -> AppMilestone?) {
    self.kinds = kinds
    self.read = read
    figures = []
    makeMeter = nil
  }

  /// - Parameter makeMeter: a meter for each device that has the app; it alone says who takes part.
  public init(_ kinds: [Kind], _ figures: [Figure], makeMeter: @escaping @Sendable (_ leads: Bool) -> any AppMeter) {
    self.kinds = kinds
    self.figures = figures
    self.makeMeter = makeMeter
    read = { _ in nil }
  }

  /// Nothing is known of the app but that it has links, streams and values.
  public static let none = AppMilestones([]) { _ in nil }
}
