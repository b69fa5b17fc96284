import AppSeam
import BabSim
import BluetoothWire
import CaptureCheck
import CaptureFormats
import Conformance
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Statistics of captures")
struct TrafficStatsTests {
  @Test("What the air carried is what the hosts at both ends got")
  func airAgainstHCI() throws {
    let run = try MeasuredRun(host: "iphone", client: "android", radio: "{ packet loss: 5% }")
    let air = try required(try run.report("air.pcapng").stats.links.first)
    let client = try required(try run.report("client.btsnoop").stats.links.first)
    let host = try required(try run.report("host.btsnoop").stats.links.first)
    // An ACL packet at the receiver is one new LL PDU with data.
    equal(air.central.packets, host.central.packets)
    equal(air.peripheral.packets, client.peripheral.packets)
    equal(air.central.packetOctets, host.central.packetOctets)
    expect(air.central.attPDUs == host.central.attPDUs && air.peripheral.attPDUs == client.peripheral.attPDUs)
    expect(air.central.repeats > 20 && air.peripheral.repeats > 20)
    expect(air.link.attMTU == 185 && client.link.attMTU == 185)
  }

  @Test("A sniffer that takes repeats for new PDUs is found out")
  func repeatsAsNew() throws {
    // The peripheral's notifications carry the game, so that many of the lost PDUs have data in them. The central sends
    // few: its repeats are empty PDUs, which no count of packets has.
    let run = try MeasuredRun(host: "iphone", client: "android", radio: "{ packet loss: 20% }")
    let stats = TrafficStats()
    let mutant = RepeatsAsNew(stats)
    try feed(run.path("air.pcapng"), to: mutant)
    // A CONNECT_IND that is lost leaves a link without packets: the busiest link is the one with the game.
    func busiest(_ stats: TrafficStats) throws -> LinkStats {
      try required(stats.links.max { $0.peripheral.packets < $1.peripheral.packets })
    }
    let client = try busiest(try run.report("client.btsnoop").stats)
    let link = try busiest(stats)
    expect(link.peripheral.packets > client.peripheral.packets)
    expect(link.central.repeats == 0 && link.peripheral.repeats == 0)
    // And the same observer without the mutation agrees.
    let reference = TrafficStats()
    try feed(run.path("air.pcapng"), to: reference)
    let truth = try busiest(reference)
    equal(truth.peripheral.packets, client.peripheral.packets)
    equal(truth.peripheral.packetOctets, client.peripheral.packetOctets)
  }

  @Test("Anchors measure the interval, and nothing is missed in our own captures")
  func anchors() throws {
    let run = try MeasuredRun(host: "ideal", client: "{ preset: ideal, connection interval: 18.75ms }")
    let link = try required(try run.report("air.pcapng").stats.links.first)
    expect(link.anchorIntervals.count > 500)
    // Clocks of the ideal phone have no error.
    expect(link.anchorIntervals.minimum == 18_750_000 && link.anchorIntervals.maximum == 18_750_000)
    equal(link.missedEvents, 0)
    expect(link.central.unacknowledged == 0 && link.central.repeats == 0)
    try expect(required(link.supervisionMargin) > .milliseconds(3_900))
  }

  @Test("Advertising that begins anew after a connection measures no interval")
  func restart() throws {
    let run = try MeasuredRun(host: "linux", client: "iphone")
    let stats = TrafficStats()
    let reader = TrafficReader(observers: [stats])
    let file = try CaptureFile(path: run.path("air.pcapng"))
    var first: Int64?
    while let record = try file.next() {
      first = first ?? record.nanoseconds
      // The host advertises again 6 ms after it was connected to; here it takes 26 ms, a quarter of its interval.
      let late: Int64 = stats.links.isEmpty ? 0 : 20_000_000
      reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - (first ?? 0) + late))
    }
    reader.finish()
    let address = try required(stats.links.first?.link.peripheral)
    let advertiser = try required(stats.advertisers.first { $0.address == address && $0.heardBy == nil })
    expect(advertiser.gaps.minimum >= 100_000_000)
    equal(advertiser.interval, 160)
  }

  @Test("Page, plots, JSON and tables have the same octets twice, and name what they measure")
  func outputs() throws {
    let run = try MeasuredRun(host: "android", client: "iphone", radio: "{ packet loss: 5% }")
    let report = try run.report("air.pcapng", "client.btsnoop")
    let again = try run.report("air.pcapng", "client.btsnoop")
    equal(StatsJSON.octets(report), StatsJSON.octets(again))
    try equal(StatsPage.octets(report, version: "0"), StatsPage.octets(again, version: "0"))
    equal(StatsTable.text(report), StatsTable.text(again))
    let plots = StatsPage.plots(report)
    for name in ["latency-cdf.svg", "throughput.svg", "interval.svg", "retransmissions.svg"] {
      let plot = try required(plots.first { $0.name == name }, "\(name)")
      let parser = XMLParser(data: Data(plot.octets))
      expect(parser.parse(), "\(name)")
    }
    let json = try required(
      try JSONSerialization.jsonObject(with: Data(StatsJSON.octets(report))) as? [String: Any])
    equal((json["links"] as? [Any])?.count, 2)
    let page = String(decoding: try StatsPage.octets(report, version: "0"), as: UTF8.self)
    expect(!page.contains("<script") && !page.contains("http:") && page.contains("<svg"))
  }

  @Test("Memory stays bounded however long a series is")
  func series() {
    var series = StatsSeries()
    for second in 0..<100_000 { series.add(3, at: .zero + .seconds(Int64(second))) }
    expect(series.slots.count <= StatsSeries.capacity)
    equal(series.slots.map(\.sum).reduce(0, +), 300_000)
    equal(series.slotLength, .seconds(128))
  }

  private func feed(_ path: String, to observer: any TrafficObserver) throws {
    let reader = TrafficReader(observers: [observer])
    let file = try CaptureFile(path: path)
    var first: Int64?
    while let record = try file.next() {
      first = first ?? record.nanoseconds
      reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - (first ?? 0)))
    }
    reader.finish()
  }
}

/// Gives every PDU the sequence number that the one before it did not have.
private final class RepeatsAsNew: TrafficObserver {
  private let inner: TrafficStats
  private var last: [Bool: UInt8] = [:]

  init(_ inner: TrafficStats) { self.inner = inner }

  var interests: TrafficEvent.Interests { inner.interests }

  func observe(_ event: TrafficEvent) {
    guard case .air(let link?, let header, var octets) = event.kind, let fromCentral = header.isFromCentral else {
      return inner.observe(event)
    }
    let number: UInt8 = last[fromCentral] == 0 ? 8 : 0
    last[fromCentral] = number
    octets[octets.startIndex] = octets[octets.startIndex] & 0xF7 | number
    var event = event
    event.kind = .air(link, header, octets)
    inner.observe(event)
  }

  func observe(att pdu: TrafficPDU) { inner.observe(att: pdu) }
  func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) { inner.observe(fragment: pdu, header) }
  func finish(at end: SimInstant) { inner.finish(at: end) }
}
