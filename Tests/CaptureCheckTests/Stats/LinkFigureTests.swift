import BluetoothWire
import CaptureFormats
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Figures and plots of single links")
struct LinkFigureTests {
  /// Event 0 is answered; then the central is heard alone until the last event, in which the peripheral answers.
  /// - Parameter headers: what the central sends from event 1 on, by default three copies of one PDU.
  private static func measured(latency: UInt16, headers: [UInt8] = [0b1101, 0b1101, 0b1101]) -> LinkStats {
    let link = TrafficLink(
      index: 0, file: 0, handle: nil, adapter: nil, accessAddress: 0x50C0_FFEE, viewpoint: .air, central: nil,
      peripheral: nil, isFromStart: true, openedAt: .zero, openedBy: PacketPlace(file: 0, number: 1))
    link.interval = 24
    link.peripheralLatency = latency
    let stats = LinkStats(link)
    /// An empty PDU; bit 2 is NESN, bit 3 is SN (Core v5.4, Vol 6, Part B, 2.4).
    func read(_ microseconds: Int64, _ header: UInt8, fromCentral: Bool) {
      var air = AirHeader(accessAddress: 0x50C0_FFEE)
      air.signalPower = fromCentral ? -40 : -61
      let octets: [UInt8] = [header, 0]
      stats.timing.read(
        octets[...], air, fromCentral: fromCentral, at: .zero + .microseconds(microseconds), stats)
    }
    read(0, 0b0001, fromCentral: true)
    read(230, 0b0101, fromCentral: false)
    for (event, header) in headers.enumerated() { read(Int64(event + 1) * 30_000, header, fromCentral: true) }
    read(Int64(headers.count) * 30_000 + 230, 0b1001, fromCentral: false)
    stats.finish()
    return stats
  }

  @Test(
    "A copy after an event that the latency lets the peripheral leave out is no loss, one after more events is",
    arguments: [(0, 0), (1, 1), (2, 2), (30, 2)])
  func latency(latency: UInt16, excused: Int) {
    let central = Self.measured(latency: latency).central
    expect(central.repeats == 2 && central.unanswered == 2)
    expect(central.repeatsInLatency == excused && central.unansweredInLatency == excused)
    equal(central.repeatSeries.slots.map(\.sum).reduce(0, +), Int64(2 - excused))
  }

  @Test("A new sequence number shows that the peripheral answered unheard: silence is counted from there")
  func unheardAnswer() {
    let central = Self.measured(latency: 1, headers: [0b1101, 0b1101, 0b0001, 0b0001]).central
    expect(central.repeats == 2 && central.repeatsInLatency == 2)
  }

  @Test("The level of each end is kept over time")
  func level() {
    let stats = Self.measured(latency: 0)
    equal(stats.central.levelSeries.slots, [.init(sum: -160, count: 4)])
    equal(stats.peripheral.levelSeries.slots, [.init(sum: -122, count: 2)])
  }

  @Test("Links have their throughput drawn when there are several, advertisers their RSSI, with a tick below the least")
  func plots() throws {
    func plots(links: UInt16) -> [StatsPlot] {
      let stats = TrafficStats()
      let reader = TrafficReader(observers: [stats])
      var number = 0
      func read(_ indicator: UInt8, _ text: String) {
        let octets = [UInt8].hex(text)
        number += 1
        let record = CaptureRecord(
          number: number, link: .h4, nanoseconds: 0, originalLength: octets.count,
          body: .hci(adapter: 0, indicator: indicator, isToHost: true), octets: octets[...])
        reader.read(record, file: 0, at: .zero + .seconds(Int64(number)))
      }
      for level in ["C5", "BA"] { read(4, "3E 0C 02 01 00 00 015544332211 00" + level) }
      for handle in 0x40..<0x40 + links {
        let field = HCIScript.text(handle)
        read(4, "3E 13 01 00 \(field) 00 00 \(HCIScript.text(UInt8(handle)))5544332211 1800 0000 F401 00")
        read(2, HCIScript.text(handle | 0x2000) + "0800 0400 0400 1B 0300 01")
      }
      reader.finish()
      return StatsFigures.plots(StatsReport(captures: [], stats: stats))
    }
    let one = plots(links: 1)
    equal(one.map(\.id), ["throughput", "interval", "rssi-advertisers"])
    expect(one.last?.y.range == -70...(-50) && one.last?.series.first?.points.map(\.y) == [-59, -70])
    let many = plots(links: 9)
    let throughput = try required(many.first { $0.id == "throughput-links" })
    equal(throughput.series.map(\.name), (0..<7).map { "#\($0)" })
    expect(throughput.svg().contains("2 more links are not drawn"))
  }
}
