import Foundation

/// Whether what takes long is run as a whole.
enum Proofs {
  static let areWanted = ProcessInfo.processInfo.environment["BABBENCH_PROOFS"] != nil
}
