import SimKernel

/// The samples of one measure at one device.
final class Gauge {
  let device: Int
  let measure: Measure
  /// Latencies or discovery times, nanoseconds.
  private(set) var samples = Histogram()
  /// The first and the latest value that came in.
  private var first: SimInstant?
  private var latest = SimInstant.zero
  /// Octets of the values after the first.
  private var octets: Int64 = 0
  /// Values within the window, and their octets.
  private let window = Fifo<(instant: SimInstant, octets: Int64)>()
  private var windowOctets: Int64 = 0
  /// Advertisers that were found in the present scan, and in any.
  private var foundNow: [Int] = []
  private var found: [Int] = []

  init(device: Int, measure: Measure) {
    self.device = device
    self.measure = measure
  }

  /// A value has come in.
  func add(octets count: Int, at now: SimInstant) {
    if first == nil { first = now } else { octets += Int64(count) }
    latest = now
    guard case .throughput(over: let span?) = measure.quantity else { return }
    window.append((now, Int64(count)))
    windowOctets += Int64(count)
    forget(before: now - span)
  }

  func add(sample: SimDuration) { samples.record(sample) }

  func beginScan() { foundNow.removeAll() }

  func add(advertiser: Int, after span: SimDuration) {
    if foundNow.contains(advertiser) { return }
    foundNow.append(advertiser)
    if !found.contains(advertiser) { found.append(advertiser) }
    samples.record(span)
  }

  private func forget(before instant: SimInstant) {
    while let oldest = window.first, oldest.instant <= instant {
      windowOctets -= oldest.octets
      assert(windowOctets >= 0, "a value that leaves the window was in it")
      _ = window.popFirst()
    }
  }

  /// Bits in a second; nil as long as there are too few values.
  func throughput(over span: SimDuration?, at now: SimInstant) -> Int64? {
    guard let first else { return nil }
    guard let span else {
      return latest > first ? Self.rate(octets, in: latest - first) : nil
    }
    guard now - first >= span else { return nil }
    forget(before: now - span)
    return Self.rate(windowOctets, in: span)
  }

  private static func rate(_ octets: Int64, in span: SimDuration) -> Int64 {
    let (high, low) = octets.multipliedFullWidth(by: 8_000_000_000)
    return span.nanoseconds.dividingFullWidth((high, low)).quotient
  }

  /// Senders of the measure that no scan has found.
  var missing: [Int] { (measure.senders ?? []).filter { !found.contains($0) } }

  /// Nanoseconds; nil without a sample.
  func figure(_ statistic: Measure.Statistic) -> Int64? {
    if samples.isEmpty { return nil }
    return switch statistic {
    case .every: measure.limit == .atMost ? samples.maximum : samples.minimum
    case .least: samples.minimum
    case .greatest: samples.maximum
    case .mean: samples.mean
    case .quantile(let permille): samples.quantile(permille: UInt64(permille))
    }
  }
}
