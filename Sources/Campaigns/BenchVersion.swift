/// The version of babbench, which files carry that a later process reads.
package enum BenchVersion {
  package static let current = "0.2.0"
}
