package import AppSeam

/// What a report says to somebody who measures: that a device takes part, or that it shows something which others show
/// too.
package enum AppMilestone: Hashable, Sendable {
  /// The device takes part from now on: its lobby has it, and it knows.
  case seated
  /// It shows a thing of a kind: `kind` is an index in `AppMilestones.kinds`, `thing` is equal on all devices that show
  /// the same one, and different for different ones.
  case shows(kind: Int, thing: String)
  /// It shows all these at once, in their order, because it has been away.
  case restored(kind: Int, things: [String])
}

/// What can be measured of an app beyond what its platform shows: how its reports are read.
package struct AppMilestones: Sendable {
  /// Things that a leader shows first and all others after it.
  package struct Kind: Hashable, Sendable {
    /// One word, for programs and conditions.
    package var name: String
    /// In the plural, for people: “lines of the history”.
    package var title: String
    /// Whoever comes back must show all of them, as `restored` or one by one.
    package var isHistory: Bool

    package init(_ name: String, title: String, isHistory: Bool) {
      self.name = name
      self.title = title
      self.isHistory = isHistory
    }
  }

  package let kinds: [Kind]
  /// Nil for a report that is none. Called for each report of a run, so it must be quick.
  package let read: @Sendable (AppReport) -> AppMilestone?

  package init(_ kinds: [Kind], read: @escaping @Sendable (AppReport) -> AppMilestone?) {
    self.kinds = kinds
    self.read = read
  }

  /// Nothing is known of the app but that it has links and values.
  package static let none = AppMilestones([]) { _ in nil }
}
