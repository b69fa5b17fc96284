import AppSeam
import BluetoothWire
import SimKernel
import VirtualRadio

/// Takes the measures that a scenario's conditions name, from what passes the app seam; nothing else is kept.
struct MeasureBook {
  /// A value that a stack has taken, or may take, and that has not come in.
  private struct Value {
    var to: Int
    var link: LinkID
    var characteristic: BluetoothUUID
    var octets: [UInt8]
    var submitted: SimInstant
    var isTaken: Bool
  }

  private struct Page {
    /// Links, and the devices at their other ends.
    var peers: [(link: LinkID, device: Int)] = []
    /// Values of its own on their way, oldest first.
    var underWay: [Value] = []
    var scanStart: SimInstant?
  }

  private let gauges: [Gauge]
  private let wantsLatency: Bool
  private var pages: [Page]
  private let radio: RadioWorld

  /// Nil when nothing is measured.
  init?(_ scenario: Scenario, _ radio: RadioWorld) {
    gauges = scenario.measures.map { Gauge(device: $0.device, measure: $0.measure) }
    if gauges.isEmpty { return nil }
    wantsLatency = gauges.contains {
      if case .latency = $0.measure.quantity { return true }
      return false
    }
    pages = Array(repeating: Page(), count: scenario.devices.count)
    self.radio = radio
  }

  // MARK: Reading

  mutating func read(_ effect: AppEffect, device: Int, at now: SimInstant) {
    switch effect {
    case .scan:
      pages[device].scanStart = now
      for gauge in gauges where gauge.device == device { gauge.beginScan() }
    case .stopScanning: pages[device].scanStart = nil
    case .notify(let link, let characteristic, let octets),
      .writeWithoutResponse(let link, let characteristic, let octets):
      submit(
        Value(to: 0, link: link, characteristic: characteristic, octets: octets, submitted: now, isTaken: false), device
      )
    case .write(let link, let characteristic, let octets):
      submit(
        Value(to: 0, link: link, characteristic: characteristic, octets: octets, submitted: now, isTaken: true), device)
    default: break
    }
  }

  /// - Parameter peer: for a new link the device at its other end, for a discovery the advertiser; nil when unknown.
  mutating func read(_ input: AppInput, device: Int, peer: Int?, at now: SimInstant) {
    switch input {
    case .launched, .radioPower(false): pages[device] = Page()
    case .connected(let link, _): if let peer { pages[device].peers.append((link, peer)) }
    case .disconnected(let link, _):
      pages[device].peers.removeAll { $0.link == link }
      pages[device].underWay.removeAll { $0.link == link }
    case .submitted(let link, let characteristic, let isTaken):
      answer(link, characteristic, isTaken, device)
    case .valueReceived(let link, let characteristic, let octets):
      guard let sender = pages[device].peers.first(where: { $0.link == link })?.device else { return }
      for gauge in gauges where gauge.device == device && gauge.measure.concerns(sender) {
        if case .throughput = gauge.measure.quantity { gauge.add(octets: octets.count, at: now) }
      }
      arrive(sender, device, characteristic, octets, now)
    case .discovered:
      guard let peer, let start = pages[device].scanStart else { return }
      for gauge in gauges where gauge.device == device && gauge.measure.concerns(peer) {
        if case .discoveryTime = gauge.measure.quantity { gauge.add(advertiser: peer, after: now - start) }
      }
    default: break
    }
  }

  private mutating func submit(_ value: Value, _ device: Int) {
    guard wantsLatency, let to = pages[device].peers.first(where: { $0.link == value.link })?.device else { return }
    var value = value
    value.to = to
    pages[device].underWay.append(value)
  }

  /// The stack has said whether it takes the oldest value that it has said nothing about.
  private mutating func answer(_ link: LinkID, _ characteristic: BluetoothUUID, _ isTaken: Bool, _ device: Int) {
    guard wantsLatency,
      let index = pages[device].underWay.firstIndex(where: {
        !$0.isTaken && $0.link == link && $0.characteristic == characteristic
      })
    else { return }
    if isTaken { pages[device].underWay[index].isTaken = true } else { pages[device].underWay.remove(at: index) }
  }

  /// A value has come in: the oldest one with its octets, or with more of them when the ATT_MTU cut it. What was
  /// submitted before it for the same characteristic is lost: a link keeps the order.
  private mutating func arrive(
    _ sender: Int, _ device: Int, _ characteristic: BluetoothUUID, _ octets: [UInt8], _ now: SimInstant
  ) {
    guard wantsLatency else { return }
    func mayBe(_ value: Value) -> Bool { value.to == device && value.characteristic == characteristic }
    guard let index = pages[sender].underWay.firstIndex(where: { mayBe($0) && $0.octets.starts(with: octets) }) else {
      return
    }
    let latency = now - pages[sender].underWay[index].submitted
    assert(latency >= .zero, "a value comes in after it was submitted")
    for gauge in gauges where gauge.device == device && gauge.measure.concerns(sender) {
      if case .latency = gauge.measure.quantity { gauge.add(sample: latency) }
    }
    for place in (0...index).reversed() where mayBe(pages[sender].underWay[place]) {
      pages[sender].underWay.remove(at: place)
    }
  }

  // MARK: Deciding

  /// The figure now, in the unit of the measure's bound; nil as long as it is unknown.
  func figure(_ measure: Measure, _ device: Int, at now: SimInstant) -> Int64? {
    guard let gauge = gauge(measure, device) else { return nil }
    switch measure.quantity {
    case .throughput(let span): return gauge.throughput(over: span, at: now)
    case .latency(let statistic): return gauge.figure(statistic)
    case .discoveryTime(let statistic): return gauge.missing.isEmpty ? gauge.figure(statistic) : nil
    case .packetErrorRate:
      let count = receptions(measure, device)
      return count.judged == 0 ? nil : Int64(count.failed) * 1_000_000 / Int64(count.judged)
    }
  }

  private func gauge(_ measure: Measure, _ device: Int) -> Gauge? {
    gauges.first { $0.device == device && $0.measure == measure }
  }

  private func receptions(_ measure: Measure, _ device: Int) -> RadioWorld.Receptions {
    var sum = RadioWorld.Receptions()
    for sender in pages.indices where sender != device && measure.concerns(sender) {
      let count = radio.receptions(from: sender, to: device)
      sum.judged += count.judged
      sum.failed += count.failed
    }
    return sum
  }

  /// How a measure stands, for people.
  func detail(_ measure: Measure, _ device: Int, at now: SimInstant, names: [String]) -> String {
    guard let gauge = gauge(measure, device) else { return "is not measured" }
    let figure = figure(measure, device, at: now)
    switch measure.quantity {
    case .throughput(over: nil):
      return figure.map { "receives \(MeasureText.decimals($0, 3)) kbit/s" } ?? "no two values have come in"
    case .throughput(over: let span?):
      return figure.map { "receives \(MeasureText.decimals($0, 3)) kbit/s" }
        ?? "no value has come in, or the first less than \(span) s ago"
    case .latency:
      return figure.map { "latency \(MeasureText.decimals($0, 6)) ms, samples: \(gauge.samples.count)" }
        ?? "no value has come in whose submission is known"
    case .packetErrorRate:
      let count = receptions(measure, device)
      return figure == nil
        ? "no PDU of a link has been listened for"
        : "\(MeasureText.decimals(figure ?? 0, 4))%, \(count.failed) of \(count.judged) PDUs"
    case .discoveryTime:
      if let figure { return "found after \(SimDuration.nanoseconds(figure)) s, samples: \(gauge.samples.count)" }
      let missing = gauge.missing.map { names[$0] }.joined(separator: ", ")
      return missing.isEmpty ? "no scan has found anybody" : "no scan has found \(missing)"
    }
  }
}

/// Integers with a point.
enum MeasureText {
  /// A count of units of which 10^`places` make one.
  static func decimals(_ value: Int64, _ places: Int) -> String {
    let digits = String(value.magnitude)
    let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    return (value < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
  }
}
