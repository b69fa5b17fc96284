import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("What a scenario asks of a stack")
struct PlatformRequestTests {
  @Test("A central changes the parameters of its links, and what is not said stays")
  func update() throws {
    let bench = try required(Apps.connected())
    let connection = try required(bench.radio.connections.first)
    let timeout = connection.central.subrating.timeoutUnits
    bench.apply(.updateConnections(ConnectionChange(interval: 40, peripheralLatency: 2)), 1)
    bench.run(for: .seconds(2))
    expect(
      connection.intervalUnits == 40 && connection.central.subrating.latency == 2
        && connection.central.subrating.timeoutUnits == timeout)
    equal(bench.platforms[1].links.count, 1)
  }

  @Test("A central leaves the channels that its stack rules out, on all its links")
  func channels() throws {
    let bench = try required(Apps.connected())
    let connection = try required(bench.radio.connections.first)
    bench.apply(.useChannels(3...9), 1)
    bench.run(for: .seconds(2))
    equal(connection.channelMap.bits, 0b11_1111_1000)
    // A peripheral's classification is not the central's.
    bench.apply(.useChannels(0...1), 0)
    bench.run(for: .seconds(2))
    equal(connection.channelMap.bits, 0b11_1111_1000)
    equal(bench.platforms[1].links.count, 1)
  }
}
