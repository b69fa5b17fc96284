/// Makes an input smaller as long as it does the same: parts are left out, from halves down to single octets, then
/// octets become zero.
public enum InputShrinker {
  /// - Parameters:
  ///   - tries: how many inputs may be tried.
  ///   - isSame: whether an input still does what is looked for.
  public static func shrink(_ input: [UInt8], tries: Int = 4_096, isSame: ([UInt8]) -> Bool) -> [UInt8] {
    var best = input
    var left = tries
    func holds(_ candidate: [UInt8]) -> Bool {
      left -= 1
      return left >= 0 && isSame(candidate)
    }
    var size = max(1, best.count / 2)
    while size > 0, left > 0 {
      var start = 0
      var isSmaller = false
      while start < best.count, left > 0 {
        var candidate = best
        candidate.removeSubrange(start..<min(best.count, start + size))
        if holds(candidate) {
          best = candidate
          isSmaller = true
        } else {
          start += size
        }
      }
      if !isSmaller || size > 1 { size /= 2 }
    }
    for index in best.indices where best[index] != 0 && left > 0 {
      var candidate = best
      candidate[index] = 0
      if holds(candidate) { best = candidate }
    }
    return best
  }
}
