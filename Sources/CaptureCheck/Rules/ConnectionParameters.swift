/// What every layer says of the timing of a connection, and the ranges that hold for all of them.
///
/// Spec: Core v5.4, Vol 4, Part E, 7.8.12; Vol 3, Part A, 4.20; Vol 6, Part B, 4.5.1 and 4.5.2.
struct ConnectionParameters: CustomStringConvertible {
  /// Units of 1.25 ms.
  var intervalMin: UInt16
  var intervalMax: UInt16
  /// Connection events.
  var latency: UInt16
  /// Units of 10 ms.
  var timeout: UInt16

  /// What should have been; nil when nothing is wrong.
  /// - Parameter timeoutMayEqual: L2CAP's wording lets the timeout be exactly what the others need.
  func defect(timeoutMayEqual: Bool = false) -> String? {
    if intervalMin < 6 || intervalMax > 3_200 { return "an interval from 6 to 3200 (7.5 ms to 4 s)" }
    if intervalMin > intervalMax { return "a least interval that is not above the greatest" }
    if latency > 499 { return "a peripheral latency of at most 499" }
    if timeout < 10 || timeout > 3_200 { return "a supervision timeout from 10 to 3200 (100 ms to 32 s)" }
    // 10 ms · timeout > (1 + latency) · 1.25 ms · interval · 2.
    let needed = (1 + Int(latency)) * Int(intervalMax)
    if 4 * Int(timeout) < needed || 4 * Int(timeout) == needed && !timeoutMayEqual {
      return "a supervision timeout above (1 + latency) · interval · 2 = \(needed * 5 / 2) ms"
    }
    return nil
  }

  var description: String {
    let interval = intervalMin == intervalMax ? "\(intervalMin)" : "\(intervalMin) to \(intervalMax)"
    return "interval \(interval), latency \(latency), timeout \(timeout) (\(Int(timeout) * 10) ms)"
  }
}
