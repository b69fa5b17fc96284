import AppSeam
import Expectations
import NetworkWire
import SimKernel
import Testing

@testable import VirtualNetwork

@Suite("Packets of captures")
struct PacketTests {
  private func house(_ interface: NetworkInterface, isShared: Bool) -> NetworkHouse {
    var room = isShared ? NetworkRoom() : .ideal
    room.peerToPeer.sleeps = false
    room.path.loss = isShared ? .every(30) : .independent(Ratio(1, 50))
    room.path.delay = .milliseconds(5)
    let house = NetworkHouse(["ada", "bob"], room, seed: 3, wantsPackets: true)
    house.introduce(0, to: [1], over: [interface])
    house.connect(1, interfaces: [interface])
    house.run(to: .seconds(10)) { house.told(1, .ready(ConnectionID(0), interface)) }
    for _ in 0..<5 {
      house.send((0..<40_000).map { UInt8(truncatingIfNeeded: $0) }, 0, 1)
      house.run(for: .milliseconds(400))
      house.send([1, 2, 3], 1, 0)
    }
    house.run(for: .seconds(20))
    house.perform(.cancel(ConnectionID(0)), 1)
    house.run(for: .seconds(10))
    house.perform(.cancel(ConnectionID(1)), 0)
    house.introduce(0, to: [1], type: "_d._udp", over: [interface])
    house.connect(1, 2, interfaces: [interface])
    house.send([7, 8], 2, 1)
    house.run(for: .seconds(10))
    return house
  }

  @Test(
    "tshark finds nothing malformed, and no segment missing at its sender", .enabled(if: CaptureFile.tshark != nil),
    arguments: NetworkInterface.allCases, [false, true])
  func tshark(interface: NetworkInterface, isShared: Bool) throws {
    let house = house(interface, isShared: isShared)
    equal(house.counts[0][1], 200_000)
    let fields = [
      "eth.src", "_ws.malformed", "_ws.expert.severity", "tcp.checksum.status", "udp.checksum.status",
      "ip.checksum.status", "tcp.analysis.lost_segment", "ip.flags.df", "tcp.flags.syn", "tcp.flags.ack",
      "tcp.options.mss_val", "tcp.options.wscale.shift", "tcp.options.sack_perm",
    ]
    for device in 0...1 {
      let packets = try CaptureFile.lines(house, device, interface, fields: fields).map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
      expect(packets.count > 200)
      let own = PacketWriter.Address(house.network.devices[device], interface).hardware.description.lowercased()
      expect(Set(packets.map { $0[0] }).count >= 2 && packets.contains { $0[0] == own })
      for packet in packets {
        expect(packet[1].isEmpty, "malformed: \(packet)")
        // 0x800000 is the severity "error".
        expect(!packet[2].contains("8388608"), "\(packet)")
        for status in packet[3...5] { expect(status.isEmpty || status == "1", "checksum: \(packet)") }
        if packet[0] == own { expect(packet[6].isEmpty, "a segment is missing: \(packet)") }
        if interface == .infrastructure { expect(packet[7] != "0", "may be fragmented: \(packet)") }
      }
      let opening = packets.first { $0[8] == "1" && $0[9] == "0" }
      equal(opening?[10...11], (interface == .infrastructure ? ["1460", "6"] : ["1440", "6"]))
      equal(opening?[12].isEmpty, false)
    }
  }

  @Test("A lost packet is in its sender's capture, marked, and not in the receiver's", arguments: [false, true])
  func lost(isShared: Bool) {
    let house = house(.infrastructure, isShared: isShared)
    var sent: [[UInt8]: Int] = [:]
    var received: [[UInt8]: Int] = [:]
    var marked = 0
    for (_, device, event) in house.events {
      guard case .packet(let packet) = event else { continue }
      if device == 1, packet.isOutgoing {
        sent[packet.octets, default: 0] += 1
        if packet.isLost { marked += 1 }
      }
      if device == 0, !packet.isOutgoing { received[packet.octets, default: 0] += 1 }
    }
    let total = sent.values.reduce(0, +)
    let arrived = received.values.reduce(0, +)
    expect(arrived < total)
    for (octets, count) in received { equal(sent[octets], count) }
    // Through an access point the sender does not see what is lost on the second hop.
    if !isShared { equal(total - arrived, marked) }
    equal(house.network.statistics.devices[1].losses, total - arrived)
  }

  @Test("Addresses follow from names and numbers")
  func addresses() {
    let house = NetworkHouse()
    let first = PacketWriter.Address(house.network.devices[1], .infrastructure)
    equal(first.internet.description, "192.168.4.11")
    let second = PacketWriter.Address(house.network.devices[1], .peerToPeer)
    equal(second.hardware.octets[0] & 3, 2)
    let octets = second.internet.octets
    equal(Array(octets[..<8]), [0xFE, 0x80, 0, 0, 0, 0, 0, 0])
    equal(Array(octets[11...12]), [0xFF, 0xFE])
    equal(octets[8], second.hardware.octets[0] ^ 2)
    equal(Array(octets[13...]), Array(second.hardware.octets[3...]))
  }
}
