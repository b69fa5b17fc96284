import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Advertising, scanning and initiating by legacy commands, with the rules of their clauses (Vol 4, Part E, 7.8.4 …
/// 7.8.17).
@Suite("The controller's legacy advertising, scanning and initiating")
struct ControllerAdvertisingTests {
  private let stranger = BluetoothAddress(kind: .random, bits: 0xC000_0000_0001)

  @Test("Advertising parameters out of range are invalid, and none may be set while advertising")
  func advertisingParameters() {
    let bench = ControllerBench(1)
    for parameters in [
      ControllerBench.advertising(interval: 0x1F), ControllerBench.advertising(type: 5),
      ControllerBench.advertising(own: 4), ControllerBench.advertising(map: 0), ControllerBench.advertising(map: 8),
      ControllerBench.advertising(policy: 4),
      [0x40, 0, 0x20, 0] + ControllerBench.advertising().dropFirst(4),
      [0x20, 0, 0x01, 0x40] + ControllerBench.advertising().dropFirst(4),
    ] {
      equal(bench.command(0, 0x2006, parameters), 0x12)
    }
    // The interval of high duty cycle directed advertising is not looked at.
    equal(bench.command(0, 0x2006, [0, 0, 0, 0] + ControllerBench.advertising(type: 1).dropFirst(4)), 0)
    equal(bench.command(0, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(0, 0x2008, [32] + [UInt8](repeating: 0, count: 31)), 0x12)
    equal(bench.command(0, 0x200A, [2]), 0x12)
    equal(bench.command(0, 0x200A, [1]), 0)
    equal(bench.command(0, 0x2006, ControllerBench.advertising()), 0x0C)
    equal(bench.command(0, 0x200A, [0]), 0)
    equal(bench.command(0, 0x200A, [0]), 0)
  }

  @Test("A random address must be set before it is used, and stays while it may be in use")
  func randomAddress() {
    let bench = ControllerBench(1)
    equal(bench.command(0, 0x2006, ControllerBench.advertising(own: 1)), 0)
    equal(bench.command(0, 0x200A, [1]), 0x12)
    equal(bench.command(0, 0x200B, [0, 16, 0, 16, 0, 1, 0]), 0)
    equal(bench.command(0, 0x200C, [1, 0]), 0x12)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: stranger, own: 1)), 0x12)
    equal(bench.command(0, 0x2006, ControllerBench.advertising(own: 3)), 0)
    equal(bench.command(0, 0x200A, [1]), 0x12)
    equal(bench.command(0, 0x2005, stranger.octets), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    equal(bench.command(0, 0x2005, stranger.octets), 0x0C)
    equal(bench.command(0, 0x200A, [0]), 0)
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    equal(bench.command(0, 0x2005, stranger.octets), 0x0C)
    equal(bench.command(0, 0x200C, [0, 0]), 0)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: stranger, own: 1)), 0)
    equal(bench.command(0, 0x2005, stranger.octets), 0x0C)
  }

  @Test("High duty cycle directed advertising ends after 1.28 s with Advertising Timeout, or at once in a connection")
  func directed() throws {
    let bench = ControllerBench(3)
    for device in 0...2 { bench.unmask(device, enhanced: false) }
    let directed = ControllerBench.advertising(type: 1, peer: ControllerBench.publicAddress(1))
    equal(bench.command(0, 0x2006, directed), 0)
    let began = bench.timeline.now
    equal(bench.command(0, 0x200A, [1]), 0)
    let end = try required(bench.event(0, le: 0x01))
    equal(end[4], 0x3C)
    equal((bench.timeline.now - began).nanoseconds / 1_000_000, 1_280)
    _ = bench.take(0)
    // A scanner that is not the target is told nothing; the target is.
    for device in 1...2 { equal(bench.command(device, 0x200C, [1, 0]), 0) }
    equal(bench.command(0, 0x200A, [1]), 0)
    let report = try required(bench.event(1, le: 0x02))
    expect(report[5] == 0x01 && report[13] == 0)
    expect(bench.take(2).allSatisfy { $0[1] == 0x0E })
    // Nor can it connect.
    equal(bench.command(2, 0x200D, ControllerBench.connection(to: ControllerBench.publicAddress(0))), 0)
    equal(bench.command(1, 0x200D, ControllerBench.connection(to: ControllerBench.publicAddress(0))), 0)
    let complete = try required(bench.event(1, le: 0x01))
    expect(complete[4] == 0 && complete[7] == 0)
    expect(bench.event(2, le: 0x01, within: .seconds(1)) == nil)
  }

  @Test("Scan parameters: ranges, and not while scanning", arguments: [[UInt8](), [1], [2], [3]])
  func scanParameters(policy: [UInt8]) {
    let bench = ControllerBench(1)
    let policy = policy.first ?? 0
    for parameters: [UInt8] in [
      [2, 16, 0, 16, 0, 0, policy], [0, 3, 0, 3, 0, 0, policy], [0, 16, 0, 17, 0, 0, policy],
      [0, 1, 0x40, 16, 0, 0, policy], [0, 16, 0, 16, 0, 4, policy], [0, 16, 0, 16, 0, 0, 4],
    ] {
      equal(bench.command(0, 0x200B, parameters), 0x12)
    }
    equal(bench.command(0, 0x200B, [1, 16, 0, 16, 0, 0, policy]), 0)
    equal(bench.command(0, 0x200C, [1, 2]), 0x12)
    equal(bench.command(0, 0x200C, [1, 1]), 0)
    equal(bench.command(0, 0x200B, [1, 16, 0, 16, 0, 0, policy]), 0x0C)
    // The list is in use by policies 1 and 3.
    equal(bench.command(0, 0x2010), (policy & 1 == 1 ? 0x0C : 0))
  }

  @Test("The accept list chooses whom a scanner reports; duplicates are reported once")
  func filters() throws {
    let bench = ControllerBench(3)
    for device in 1...2 {
      equal(bench.command(device, 0x2006, ControllerBench.advertising(type: 3)), 0)
      equal(bench.command(device, 0x200A, [1]), 0)
    }
    bench.unmask(0)
    equal(bench.command(0, 0x2011, [0] + ControllerBench.publicAddress(2).octets), 0)
    equal(bench.command(0, 0x200B, [0, 16, 0, 16, 0, 0, 1]), 0)
    equal(bench.command(0, 0x200C, [1, 1]), 0)
    equal(bench.command(0, 0x2011, [0] + ControllerBench.publicAddress(1).octets), 0x0C)
    equal(bench.command(0, 0x2012, [0] + ControllerBench.publicAddress(1).octets), 0x0C)
    _ = bench.take(0)
    bench.run(for: .seconds(2))
    let reports = bench.take(0).filter { $0[1] == 0x3E }
    equal(reports.count, 1)
    equal(Array(reports[0][7..<13]), ControllerBench.publicAddress(2).octets)
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    bench.run(for: .seconds(2))
    expect(bench.take(0).count > 40)
  }

  @Test("The accept list is finite")
  func acceptListSize() throws {
    let bench = ControllerBench(1)
    let size = try bench.returned(0, 0x200F)[0]
    for index in 0..<size { equal(bench.command(0, 0x2011, [1, index, 0, 0, 0, 0, 0xC0]), 0) }
    equal(bench.command(0, 0x2011, [1, 0, 0, 0, 0, 0, 0xC0]), 0)
    equal(bench.command(0, 0x2011, [1, size, 0, 0, 0, 0, 0xC0]), 0x07)
    equal(bench.command(0, 0x2010), 0)
    equal(bench.command(0, 0x2011, [1, size, 0, 0, 0, 0, 0xC0]), 0)
  }

  @Test("Create Connection: one at a time, by the accept list too, and it can be cancelled")
  func createConnection() throws {
    let bench = ControllerBench(2)
    for device in 0...1 { bench.unmask(device, enhanced: false) }
    equal(bench.command(0, 0x200E), 0x0C)
    var bad = ControllerBench.connection(to: stranger)
    bad[13] = 5
    equal(bench.command(0, 0x200D, bad), 0x12)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: stranger, timeout: 5)), 0x12)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: stranger)), 0)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: stranger)), 0x0C)
    _ = bench.take(0)
    bench.send(0, ControllerBench.packet(0x200E))
    let events = bench.take(0)
    equal(events.map { $0[1] }, [0x0E, 0x3E])
    expect(events[1][3] == 0x01 && events[1][4] == 0x02)
    // By the list.
    equal(bench.command(0, 0x2011, [0] + ControllerBench.publicAddress(1).octets), 0)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: stranger, usesList: true)), 0)
    equal(bench.command(0, 0x2010), 0x0C)
    equal(bench.command(1, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(1, 0x200A, [1]), 0)
    let complete = try required(bench.event(0, le: 0x01))
    equal(complete[4], 0)
    equal(Array(complete[9..<15]), ControllerBench.publicAddress(1).octets)
    expect(bench.first(0, within: .zero) { $0[1] == 0x3E && $0[3] == 0x14 } != nil)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: ControllerBench.publicAddress(1))), 0x0B)
  }

  @Test("No more links than the controller has: neither as central nor advertising connectable")
  func connectionLimit() throws {
    let bench = ControllerBench(2) { configuration, _ in configuration.maximumLinks = 1 }
    _ = try bench.connect(0, to: 1)
    equal(bench.command(0, 0x200D, ControllerBench.connection(to: stranger)), 0x09)
    equal(bench.command(1, 0x200A, [1]), 0x09)
    equal(bench.command(1, 0x2006, ControllerBench.advertising(type: 3)), 0)
    equal(bench.command(1, 0x200A, [1]), 0)
  }

  @Test("An advertiser's filter policy holds for scan requests and for connections")
  func advertiserPolicy() throws {
    let bench = ControllerBench(3)
    for device in 0...2 { bench.unmask(device, enhanced: false) }
    equal(bench.command(0, 0x2011, [0] + ControllerBench.publicAddress(1).octets), 0)
    equal(bench.command(0, 0x2009, [3, 2, 9, 0x42] + [UInt8](repeating: 0, count: 28)), 0)
    equal(bench.command(0, 0x2006, ControllerBench.advertising(policy: 3)), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    for device in 1...2 {
      equal(bench.command(device, 0x200B, [1, 16, 0, 16, 0, 0, 0]), 0)
      equal(bench.command(device, 0x200C, [1, 0]), 0)
    }
    bench.run(for: .seconds(3))
    let answered = (1...2).map { bench.take($0).contains { $0[1] == 0x3E && $0[3] == 2 && $0[5] == 4 } }
    equal(answered, [true, false])
  }
}
