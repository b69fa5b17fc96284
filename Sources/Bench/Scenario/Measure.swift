public import SimKernel

/// A figure of the links or scans of one device, and the limit that a scenario sets it.
///
/// All are taken at the device that receives: a scenario names it first, and after `from` those that send.
public struct Measure: Hashable, Sendable {
  public enum Quantity: Hashable, Sendable {
    /// Octets of values that came in, as bits in a second: over the latest window of that length; without one from the
    /// first value that came in, which does not count, to the last.
    case throughput(over: SimDuration?)
    /// From the app's submission of a value to the other app, both at the app seam; only values that arrived.
    case latency(Statistic)
    /// PDUs on data channels that the receiver listened for and did not receive whole, as a share of all of them.
    case packetErrorRate
    /// From the app's order to scan to the first report of an advertiser to the app; once for each scan and advertiser.
    case discoveryTime(Statistic)
  }

  /// What of several samples counts.
  public enum Statistic: Hashable, Sendable {
    /// Each one of them: the greatest where there is an upper limit, the least where there is a lower one.
    case every
    case least, greatest, mean
    /// The least figure that at least this share of the samples do not exceed; at most one thirty-second too large.
    case quantile(permille: Int)
  }

  public enum Limit: Hashable, Sendable {
    case atLeast, atMost
  }

  public var quantity: Quantity
  public var limit: Limit
  /// Bits in a second, nanoseconds, or parts per million.
  public var bound: Int64
  /// Device indices; nil: whoever it is.
  public var senders: [Int]?

  public init(quantity: Quantity, limit: Limit, bound: Int64, senders: [Int]? = nil) {
    self.quantity = quantity
    self.limit = limit
    self.bound = bound
    self.senders = senders
  }

  func holds(_ figure: Int64) -> Bool { limit == .atLeast ? figure >= bound : figure <= bound }

  func concerns(_ sender: Int) -> Bool { senders?.contains(sender) ?? true }
}

extension Scenario {
  /// The same scenario with one more condition whose measures are taken; only for whoever decides conditions.
  func watching(_ condition: Condition?) -> Scenario {
    guard let condition else { return self }
    var copy = self
    let nowhere = SourceLocation(line: 0, column: 0)
    copy.expectations.append(Expectation(source: nowhere, condition: condition, deadline: .atEnd, text: ""))
    return copy
  }

  /// What is measured of which devices: by the conditions of steps and expectations, each once.
  var measures: [(device: Int, measure: Measure)] {
    var found: [(device: Int, measure: Measure)] = []
    func add(_ condition: Condition) {
      switch condition {
      case .all(let parts), .any(let parts): parts.forEach(add)
      case .devices(let devices, _, .measure(let measure)):
        for device in devices where !found.contains(where: { $0.device == device && $0.measure == measure }) {
          found.append((device, measure))
        }
      case .devices: break
      }
    }
    for step in steps { if case .when(let condition, _) = step.trigger { add(condition) } }
    for expectation in expectations { add(expectation.condition) }
    return found
  }
}
