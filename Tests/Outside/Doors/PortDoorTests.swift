import BluetoothWire
import Foundation
import HCIPorts
import SimKernel
import Testing
import VirtualRadio

/// One controller without a host, in a world that the wall clock drives.
final class BareController: PacedWorld {
  private let timeline = Timeline()
  private let world: RadioWorld
  /// Devices whose controllers have something for their hosts.
  private var waiting: [Int] = []

  init(_ address: BluetoothAddress) {
    let radio = RadioConfiguration(name: "bare", address: address, position: Position(x: 0, y: 0))
    world = RadioWorld(timeline: timeline, environment: .livingRoom, seed: 1, radios: [radio])
  }

  var now: SimInstant { timeline.now }
  var nextInstant: SimInstant? { timeline.nextInstant }
  /// It has no end of its own.
  var endInstant: SimInstant? { nil }

  func advance(to instant: SimInstant) {
    while let event = timeline.advance(limit: instant) { world.handle(event) }
    timeline.skip(to: instant)
  }

  func enter(_ event: ForeignEvent, device: Int) {
    if case .packet(let octets) = event { world.controllers[device].submit(h4: octets) }
  }

  func popOutward() -> (device: Int, packet: [UInt8])? {
    while let device = world.nextWaiting() { waiting.append(device) }
    while let device = waiting.first {
      if let message = world.controllers[device].popForHost() { return (device, message.h4Octets) }
      waiting.removeFirst()
    }
    return nil
  }
}

@Suite("A controller at a port, served by an outsider")
struct PortDoorTests {
  @Test("A host that comes by TCP resets the controller and reads its address")
  func address() throws {
    let stop = LiveStop()
    let (places, place) = (DispatchSemaphore(value: 0), Place())
    let served = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let port = PortConfiguration(
        device: 0, name: "bare", partner: .host, address: .tcp(host: "127.0.0.1", port: 0))
      let world = BareController(BluetoothAddress(kind: .publicDevice, bits: 0x00C0_DE12_3456))
      let loop = LiveLoop(world: world, ports: [port], log: { _ in }) { ports in
        place.address = ports.first?.address
        places.signal()
      }
      place.packets = try? loop.run(until: stop).ports.first?.packetsIn
      served.signal()
    }
    #expect(places.wait(timeout: .now() + 30) == .success)
    guard case .tcp(_, let port)? = place.address else {
      Issue.record("no port was opened")
      return
    }
    let answers = try ask(port, [[0x01, 0x03, 0x0C, 0x00], [0x01, 0x09, 0x10, 0x00]])
    stop.stop()
    #expect(served.wait(timeout: .now() + 30) == .success)
    // Command Complete of HCI_Reset and of HCI_Read_BD_ADDR (Core v5.4, Vol 4, Part E, 7.3.2 and 7.4.6).
    #expect(answers.map { Array($0.prefix(7)) }.first == [0x04, 0x0E, 4, 1, 0x03, 0x0C, 0])
    #expect(answers.last == [0x04, 0x0E, 10, 1, 0x09, 0x10, 0, 0x56, 0x34, 0x12, 0xDE, 0xC0, 0])
    #expect(place.packets == 2)
  }

  @Test("An address of a port that is none is refused with what to write instead")
  func refusal() {
    #expect(throws: PortError.self) { try PortAddress(parsing: "tcp:9001") }
    let message = #expect(throws: PortError.self) { try PortAddress(parsing: "h4:tcp:") }
    #expect(message?.description.hasPrefix("h4:tcp:") ?? false)
  }

  /// Sends packets to a port, and waits for one answer to each.
  private func ask(_ port: Int, _ packets: [[UInt8]]) throws -> [[UInt8]] {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafeBytes(of: &address) {
      connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
    }
    try #require(status == 0)
    var framer = H4Framer(sender: .controller)
    var answers: [[UInt8]] = []
    for packet in packets {
      #expect(packet.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == packet.count)
      let count = answers.count
      while answers.count == count {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&waiting, 1, 30_000) == 1, "no answer came")
        var octets = [UInt8](repeating: 0, count: 64)
        let length = read(descriptor, &octets, octets.count)
        try #require(length > 0, "the port was closed")
        framer.feed(Array(octets.prefix(length))) { piece in
          if case .packet(let packet) = piece { answers.append(packet) }
        }
      }
    }
    return answers
  }
}

/// What the thread of the loop has to tell; semaphores keep the two threads apart.
private final class Place: @unchecked Sendable {
  var address: PortAddress?
  var packets: Int?
}
