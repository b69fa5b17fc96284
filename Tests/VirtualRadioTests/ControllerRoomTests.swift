import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("A room of bare controllers, driven over HCI alone")
struct ControllerRoomTests {
  /// Each controller connects to the next one; the handles that it has (as central, as peripheral).
  private func ring(_ bench: ControllerBench, of count: Int) throws -> [(UInt16, UInt16)] {
    var handles = [(UInt16, UInt16)](repeating: (0, 0), count: count)
    for device in 0..<count {
      let next = (device + 1) % count
      for end in [device, next] { _ = bench.take(end) }
      let (asCentral, asPeripheral) = try bench.connect(device, to: next)
      handles[device].0 = asCentral
      handles[next].1 = asPeripheral
    }
    for device in 0..<count { _ = bench.take(device) }
    return handles
  }

  private func acl(_ handle: UInt16, _ text: String) -> [UInt8] {
    let value = Array(text.utf8)
    return [0x02] + handle.octets + UInt16(value.count + 4).octets + UInt16(value.count).octets + [4, 0] + value
  }

  @Test("Every controller of a ring is central of the next and peripheral of the one before, and carries data on both")
  func ring() throws {
    let count = 5
    let bench = ControllerBench(count)
    let links = try ring(bench, of: count)
    for (device, link) in links.enumerated() {
      bench.send(device, acl(link.0, "to the next of \(device)"))
      bench.send(device, acl(link.1, "to the one before \(device)"))
    }
    bench.run(for: .seconds(1))
    for device in 0..<count {
      let before = (device + count - 1) % count
      let after = (device + 1) % count
      let taken = bench.take(device).filter { $0[0] == 0x02 }.map { packet in
        "\(ControllerBench.u16(packet, 1) & 0x0FFF) " + String(decoding: packet[9...], as: UTF8.self)
      }
      equal(
        taken.sorted(),
        [
          "\(links[device].0) to the one before \(after)", "\(links[device].1) to the next of \(before)",
        ].sorted())
    }
  }

  @Test("A controller of a ring advertises and scans on, and hears a newcomer")
  func newcomer() throws {
    let bench = ControllerBench(4)
    _ = try ring(bench, of: 3)
    bench.unmask(3)
    equal(bench.command(3, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(3, 0x200A, [1]), 0)
    for device in 0..<3 {
      equal(bench.command(device, 0x200A, [1]), 0)
      equal(bench.command(device, 0x200B, [0, 0x10, 0, 0x10, 0, 0, 0]), 0)
      equal(bench.command(device, 0x200C, [1, 1]), 0)
    }
    bench.run(for: .seconds(3))
    for device in 0..<3 {
      let heard = Set(bench.take(device).filter { $0[1] == 0x3E && $0[3] == 0x02 }.map { $0[7] })
      // The lowest octet of an address is the index: the newcomer and both others.
      equal(heard, Set((0..<4).filter { $0 != device }))
    }
  }

  @Test("A host that leaves takes its controller's links with it, and the rest of the ring goes on")
  func leaving() throws {
    let bench = ControllerBench(4)
    let links = try ring(bench, of: 4)
    bench.world.controllers[0].hostIsGone()
    bench.run(for: .seconds(10))
    expect(bench.take(0).isEmpty)
    equal((0..<4).map { bench.world.controllers[$0].linkCount }, [0, 1, 2, 1])
    // Supervision timeout at both neighbours.
    for (device, handle) in [(1, links[1].1), (3, links[3].0)] {
      let ended = bench.take(device).filter { $0[1] == 0x05 }
      equal(ended, [[0x04, 0x05, 0x04, 0x00] + handle.octets + [0x08]])
    }
  }

  @Test("A link that came in by advertising counts: an initiator at its limit of links answers nobody")
  func initiatorAtItsLimit() throws {
    let bench = ControllerBench(3) { configuration, index in
      if index == 1 { configuration.maximumLinks = 1 }
    }
    bench.unmask(1, enhanced: false)
    equal(bench.command(1, 0x200D, ControllerBench.connection(to: ControllerBench.publicAddress(2))), 0)
    _ = try bench.connect(0, to: 1)
    bench.unmask(2)
    equal(bench.command(2, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(2, 0x200A, [1]), 0)
    bench.run(for: .seconds(5))
    equal((0..<3).map { bench.world.controllers[$0].linkCount }, [1, 1, 0])
  }
}
