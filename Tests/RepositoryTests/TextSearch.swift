import Foundation

extension StringProtocol {
  /// Whether it has these octets anywhere. `contains` compares characters, which takes many times as long: the rules
  /// look for a few words in every line of the checkout.
  func mentions(_ word: String) -> Bool {
    let found = utf8.withContiguousStorageIfAvailable { text in
      word.utf8.withContiguousStorageIfAvailable { word -> Bool in
        guard !word.isEmpty, let first = text.baseAddress, let wanted = word.baseAddress else { return word.isEmpty }
        return memmem(first, text.count, wanted, word.count) != nil
      }
    }
    return found.flatMap { $0 } ?? contains(word)
  }
}
