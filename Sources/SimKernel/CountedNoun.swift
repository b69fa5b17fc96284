/// Nouns with their number, for people: “1 packet”, “2 packets”.
package enum CountedNoun {
  /// A number and its noun.
  /// - Parameter plural: where it is not the noun with an “s”.
  package static func text(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// The noun with its article, by its first letter: “a host”, “an advertiser”.
  package static func one(_ noun: String) -> String {
    (noun.first.map("aeiou".contains) ?? false ? "an " : "a ") + noun
  }
}
