/// An order of the numbers below a count of which every beginning is spread evenly over all of them.
///
/// The number at rank k is k · stride modulo the count. With a stride that has no divisor in common with the count each
/// number has its rank. With one that is near the golden section, and whose ratio to the count no fraction of small
/// numbers comes near, the first numbers lie apart from each other, however many are taken.
enum EvenOrder {
  /// Strides that are looked at on both sides of the golden section.
  private static let reach = 64

  static func stride(of count: Int) -> Int {
    let golden = Int(UInt64(count).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15).high)
    var best = (stride: 1, quotient: Int.max)
    for offset in 0...reach {
      for stride in [golden - offset, golden + offset] where stride > 0 && stride < count {
        guard let quotient = largestQuotient(stride, count), quotient < best.quotient else { continue }
        best = (stride, quotient)
      }
    }
    return best.stride
  }

  /// The largest partial quotient of the continued fraction of a ratio, the smaller the better; nil: the two have a
  /// common divisor.
  private static func largestQuotient(_ stride: Int, _ count: Int) -> Int? {
    var (a, b) = (count, stride)
    var largest = 0
    while b > 1 {
      largest = max(largest, a / b)
      (a, b) = (b, a % b)
    }
    return b == 1 ? max(largest, a) : nil
  }
}
