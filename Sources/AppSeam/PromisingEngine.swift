/// An app that says which of its protocol's reports it would make if there were reason to.
///
/// An engine of the bench makes all of them. A program makes those that it likes: one that it never made may be one
/// that it does not have, unless it has promised it.
public protocol PromisingEngine: AppEngine {
  /// Names of reports; empty: it has not said.
  var promisedReports: [String] { get }
}
