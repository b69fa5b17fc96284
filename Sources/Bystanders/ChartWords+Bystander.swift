import Conformance

extension ChartWords {
  /// Nobody knows what a device in the room is for: when it has done what it came for, it ends its links and looks for
  /// nobody.
  static var bystander: ChartWords {
    var words = ChartWords.none
    words.ordinary = [.idle, .leftLink, .notAdvertising, .notConnected, .notFound, .connecting, .userUnanswered]
    return words
  }
}
