/// Where the programs are that a file names.
public struct ProgramFinder: Sendable {
  /// What a word stands for that is to be started.
  package enum Finding: Hashable, Sendable {
    case found(path: String)
    /// What is wrong with it, and what to write instead.
    case refused(String)
  }

  /// The file's folder, absolute.
  package let folder: String
  /// What a program inherits, `NAME=value`.
  package let environment: [String]
  /// - Parameters:
  ///   - program: the first word of a command.
  ///   - folder: where words with a slash begin.
  package let find: @Sendable (_ program: String, _ folder: String, _ environment: [String]) -> Finding
  /// What is wrong with a folder in which a program is to run; nil: nothing.
  package let refusal: @Sendable (_ folder: String) -> String?

  package init(
    folder: String, environment: [String],
    find: @escaping @Sendable (_ program: String, _ folder: String, _ environment: [String]) -> Finding,
    refusal: @escaping @Sendable (_ folder: String) -> String?
  ) {
    self.folder = folder
    self.environment = environment
    self.find = find
    self.refusal = refusal
  }

  /// There are none: a file that names one is refused.
  public static let none = refusing("programs cannot be started here; write “engine:”")

  /// Whoever names one is told this.
  public static func refusing(_ reason: String) -> ProgramFinder {
    ProgramFinder(folder: "/", environment: [], find: { _, _, _ in .refused(reason) }, refusal: { _ in nil })
  }
}
