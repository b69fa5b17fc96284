import Foundation

extension StringProtocol {
  /// Whether it has these octets anywhere. `contains` compares characters, which takes many times as long: the rules
  /// look for a few words in every line of the checkout.
  func mentions(_ word: String) -> Bool {
    let found = utf8.withContiguousStorageIfAvailable { text in
      word.utf8.withContiguousStorageIfAvailable { word -> Bool in
        guard let first = word.first, let wanted = word.baseAddress else { return true }
        var rest = text[...]
        while rest.count >= word.count, let place = rest.firstIndex(of: first), text.endIndex - place >= word.count {
          if memcmp(text.baseAddress! + place, wanted, word.count) == 0 { return true }
          rest = text[(place + 1)...]
        }
        return false
      }
    }
    return found.flatMap { $0 } ?? contains(word)
  }
}
