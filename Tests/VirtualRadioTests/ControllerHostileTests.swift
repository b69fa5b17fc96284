import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Nothing that a host sends may stop the world.
@Suite("A controller and hostile hosts")
struct ControllerHostileTests {
  /// Commands that take part, so that most of what is sent gets beyond the opcode.
  private static let opcodes: [UInt16] =
    [
      0x0406, 0x041D, 0x0C01, 0x0C03, 0x0C63, 0x0C2D, 0x0C7B, 0x0C7C, 0x1001, 0x1002, 0x1003, 0x1004, 0x1005, 0x1009,
      0x1405,
    ] + Array(0x2001...0x2024) + Array(0x2027...0x204F) + [0x2060, 0x2074]

  private struct Source {
    var stream: RandomStream
    /// Handles that may be there.
    var handles: [UInt16] = [0x0040]

    mutating func octet() -> UInt8 { UInt8(truncatingIfNeeded: stream.next()) }

    mutating func octets(_ count: Int) -> [UInt8] { (0..<count).map { _ in octet() } }

    /// A command whose parameters are often small numbers, and the handle often right.
    mutating func command() -> [UInt8] {
      let opcode = ControllerHostileTests.opcodes[Int(stream.below(UInt64(ControllerHostileTests.opcodes.count)))]
      if opcode == 0x0C03, stream.below(20) != 0 { return good() }
      var parameters = octets(Int(stream.below(40)))
      for index in parameters.indices where stream.below(3) != 0 { parameters[index] &= 0x03 }
      if parameters.count >= 2, stream.below(2) == 0 {
        parameters.replaceSubrange(0..<2, with: handles[Int(stream.below(UInt64(handles.count)))].octets)
      }
      return ControllerBench.packet(opcode, parameters)
    }

    /// What a sensible host might send.
    mutating func good() -> [UInt8] {
      let handle = handles[Int(stream.below(UInt64(handles.count)))].octets
      let peer = ControllerBench.publicAddress(Int(stream.below(3)))
      let own = UInt8(stream.below(4))
      switch stream.below(18) {
      case 0:
        let type = UInt8(stream.below(5))
        return ControllerBench.packet(0x2006, ControllerBench.advertising(type: type, own: own, peer: peer))
      case 1: return ControllerBench.packet(0x200A, [UInt8(stream.below(2))])
      case 2: return ControllerBench.packet(0x200B, [own & 1, 16, 0, 16, 0, own, UInt8(stream.below(4))])
      case 3: return ControllerBench.packet(0x200C, [UInt8(stream.below(2)), own & 1])
      case 4: return ControllerBench.packet(0x200D, ControllerBench.connection(to: peer, own: own))
      case 5: return ControllerBench.packet(0x200E)
      case 6: return ControllerBench.packet(0x0406, handle + [0x13])
      case 7: return ControllerBench.packet(0x2013, handle + [octet(), 0, 200, 0, own, 0, 200, 1, 0, 0, 0, 0])
      case 8: return ControllerBench.packet(0x2022, handle + [octet(), 0, 0x48, 8])
      case 9: return ControllerBench.packet(0x2032, handle + [0, 1 + own % 3, 1 + own % 3, 0, 0])
      case 10: return ControllerBench.packet(0x2011, [0] + peer.octets)
      case 11: return ControllerBench.packet(0x2027, [0] + peer.octets + octets(32))
      case 12: return ControllerBench.packet(0x202D, [own & 1])
      case 13: return BumbleOctets.setParameters
      case 14: return ControllerBench.packet(0x2039, [own & 1, 1, 0, own, 0, own])
      case 15: return ControllerBench.packet(0x2042, [own & 1, own % 3, own, 0, own, 0])
      case 16: return ControllerBench.packet(0x2019, handle + octets(26))
      default: return [0x02] + handle + [8, 0] + octets(8)
      }
    }

    mutating func packet() -> [UInt8] {
      var packet: [UInt8]
      switch stream.below(10) {
      case 0: return octets(Int(stream.below(24)))
      case 1: packet = [0x02] + octets(Int(stream.below(40)))
      case 2...4: packet = command()
      default: packet = good()
      }
      if stream.below(4) == 0, !packet.isEmpty {
        packet[Int(stream.below(UInt64(packet.count)))] = octet()
      }
      if stream.below(12) == 0 { packet.removeLast(Int(stream.below(UInt64(packet.count)))) }
      return packet
    }
  }

  @Test("25 000 packets of three hosts, random and mutated, stop nobody", arguments: [1, 2] as [UInt64])
  func fuzz(seed: UInt64) throws {
    let bench = ControllerBench(4)
    var source = Source(stream: RandomStream(seed: seed, component: "hostile", purpose: "packets"))
    bench.unmask(3)
    for round in 0..<12_500 {
      if round % 1_250 == 0 { source.handles = try sanePair(bench) }
      bench.send(Int(source.stream.below(3)), source.packet())
      if round % 4 == 0 { bench.run(for: .microseconds(700)) }
      if round % 64 == 0 {
        for device in 0...2 { _ = bench.take(device) }
      }
    }
    let central = try sanePair(bench)[0]
    _ = bench.take(1)
    bench.send(0, [0x02] + central.octets + [4, 0, 1, 2, 3, 4])
    bench.run(for: .milliseconds(200))
    expect(bench.take(1).contains { $0[0] == 0x02 && Array($0.suffix(4)) == [1, 2, 3, 4] })
    // One that nobody disturbed is there too.
    _ = try bench.connect(3, to: 2)
  }

  /// After a reset two of them connect, whatever was before.
  private func sanePair(_ bench: ControllerBench) throws -> [UInt16] {
    for device in 0...2 { equal(bench.command(device, 0x0C03), 0) }
    for device in 0...2 { _ = bench.take(device) }
    let (central, peripheral) = try bench.connect(0, to: 1)
    return [central, peripheral]
  }
}
