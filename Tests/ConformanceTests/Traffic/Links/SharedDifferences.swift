/// Where our counts of a shared capture are not tshark's, and why. A difference that is not here fails, and so does one
/// here that is gone.
enum SharedDifferences {
  struct Difference {
    var reason: String
    /// "key: ours, tshark theirs".
    var counts: [String]
  }

  /// Files that tshark itself does not read.
  static let unread: Set<String> = []
  /// Files that we refuse.
  static let refused: Set<String> = []
  /// What handles mean: "ours …, tshark …", with opcode, handle, service, characteristic and type.
  static let meanings: [String: [Difference]] = [:]
  /// By the number of the file.
  static let all: [String: [Difference]] = [:]
}
