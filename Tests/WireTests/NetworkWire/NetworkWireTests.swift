import BluetoothWire
import Expectations
import NetworkWire
import Testing

@Suite("Packets of the Internet, against octets of others")
struct NetworkWireTests {
  static let one = IPAddress.linkLocal(1)
  static let two = IPAddress.linkLocal(2)

  @Test("The sum of RFC 1071, 3: words 0001 f203 f4f5 f6f7 add up to ddf2")
  func checksum() {
    var checksum = InternetChecksum()
    checksum.add([0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7])
    equal(checksum.value, ~0xDDF2)
  }

  @Test("A handshake's first segment means what its maker said, and is written like it")
  func handshake() throws {
    let frame = try EthernetFrame(decoding: ForeignPackets.handshake)
    equal("\(frame.source) \(frame.destination)", "02:00:00:00:00:01 02:00:00:00:00:02")
    let packet = try IPPacket(decoding: frame.payload)
    equal("\(packet.source) \(packet.destination) \(packet.hopLimit)", "fe80::1 fe80::2 64")
    let segment = try TCPSegment(decoding: packet.payload, from: packet.source, to: packet.destination)
    equal(segment.sourcePort, 49_152)
    equal(segment.destinationPort, 7_000)
    equal(segment.sequence, 1_000)
    equal(segment.flags, .syn)
    equal(segment.window, 65_535)
    equal(segment.options.maximumSegmentSize, 1_440)
    equal(segment.options.windowScale, 6)
    expect(segment.options.permitsSACK)
    equal(segment.octets(from: packet.source, to: packet.destination), packet.payload)
    equal(packet.octets, frame.payload)
    equal(frame.octets, ForeignPackets.handshake)
  }

  @Test("IPv4 with its checksum, and a payload of odd length")
  func data() throws {
    let frame = try EthernetFrame(decoding: ForeignPackets.hello)
    let packet = try IPPacket(decoding: frame.payload)
    equal("\(packet.source) \(packet.destination)", "192.168.1.1 192.168.1.2")
    let segment = try TCPSegment(decoding: packet.payload, from: packet.source, to: packet.destination)
    equal(segment.flags, [.psh, .ack])
    equal(segment.payload, Array("hello".utf8))
    equal(segment.octets(from: packet.source, to: packet.destination), packet.payload)
    equal(packet.octets, frame.payload)
  }

  @Test("A datagram to the group of Multicast DNS")
  func datagram() throws {
    let frame = try EthernetFrame(decoding: ForeignPackets.datagram)
    let packet = try IPPacket(decoding: frame.payload)
    equal(packet.destination, .multicastDNS)
    equal(frame.destination, MACAddress(groupOf: packet.destination))
    let datagram = try UDPDatagram(decoding: packet.payload, from: packet.source, to: packet.destination)
    equal(datagram.payload, Array("odd".utf8))
    equal(datagram.octets(from: packet.source, to: packet.destination), packet.payload)
    equal(packet.octets, frame.payload)
  }

  @Test("An announcement of a service: four records, names compressed")
  func announcement() throws {
    let message = try DNSMessage(decoding: ForeignPackets.announcement)
    let instance: DNSName = "Lecture._beamscribe._tcp.local"
    expect(message.isResponse)
    equal(
      message.answers,
      [
        DNSRecord(
          name: "_beamscribe._tcp.local", content: .pointer(instance), timeToLive: 4_500, isUnique: false)
      ])
    equal(
      message.additionals,
      [
        DNSRecord(
          name: instance, content: .service(port: 7_000, target: "host.local"), timeToLive: 120, isUnique: false),
        DNSRecord(name: instance, content: .text([Array("v=1".utf8)]), timeToLive: 4_500, isUnique: false),
        DNSRecord(name: "host.local", content: .address(Self.one), timeToLive: 120, isUnique: false),
      ])
    // Its maker leaves the target of SRV uncompressed, as RFC 2782 wants it; RFC 6762, 18.14 compresses it.
    try equal(DNSMessage(decoding: message.octets), message)
    expect(message.octets.count <= ForeignPackets.announcement.count)
    equal(instance, "lecture._BEAMSCRIBE._tcp.local")
  }

  @Test("A question for a service type")
  func question() throws {
    let message = try DNSMessage(decoding: ForeignPackets.question)
    equal(message.questions, [.init(name: "_beamscribe._tcp.local", kind: .pointer)])
    equal(message.octets, ForeignPackets.question)
  }

  @Test("Addresses as RFC 5952, 4 writes them")
  func addresses() {
    equal("\(IPAddress.v6(0x2001_0DB8_0000_0000, 0x0001_0000_0000_0001))", "2001:db8::1:0:0:1")
    equal("\(IPAddress.v6(0x2001_0DB8_0000_0001, 0x0001_0001_0001_0001))", "2001:db8:0:1:1:1:1:1")
    equal("\(IPAddress.v6(0, 0))", "::")
    equal("\(IPAddress.v4(0x7F00_0001))", "127.0.0.1")
  }

  @Test("Names say their dots, and refuse what leads back")
  func names() throws {
    equal("\(DNSName(["Dr. Smith", "_beamscribe", "_tcp", "local"]))", "Dr\\. Smith._beamscribe._tcp.local.")
    var octets = ForeignPackets.question
    // The name of the question points to itself.
    octets.replaceSubrange(12..<36, with: [0xC0, 0x0C])
    #expect(throws: WireError(.valueOutOfRange, at: 12)) { try DNSMessage(decoding: octets) }
  }

  @Test("A wrong checksum is refused where it stands")
  func damagedChecksums() throws {
    let packet = try IPPacket(decoding: EthernetFrame(decoding: ForeignPackets.hello).payload)
    var octets = packet.payload
    octets[octets.count - 1] ^= 1
    #expect(throws: WireError(.valueOutOfRange, at: 16)) {
      try TCPSegment(decoding: octets, from: packet.source, to: packet.destination)
    }
    #expect(throws: Never.self) {
      try TCPSegment(decoding: octets, from: packet.source, to: packet.destination, checksChecksum: false)
    }
  }

  @Test("No octets trap: prefixes, single bits and awkward octets of foreign packets, through every decoder")
  func hostile() {
    var refused = 0
    var read = 0
    for octets in ForeignPackets.all {
      var inputs = (0..<octets.count).map { Array(octets.prefix($0)) }
      for index in octets.indices {
        for value in [0, 1, 0x3F, 0x40, 0x7F, 0x80, 0xBF, 0xC0, 0xFF, octets[index] ^ 1, octets[index] ^ 0x10] {
          var changed = octets
          changed[index] = value
          inputs.append(changed)
        }
      }
      for input in inputs {
        for start in [0, 14, 34, 54] where start <= input.count {
          let part = Array(input[start...])
          let outcomes = [
            (try? EthernetFrame(decoding: part)) != nil, (try? IPPacket(decoding: part)) != nil,
            (try? DNSMessage(decoding: part)) != nil,
            (try? TCPSegment(decoding: part, from: Self.one, to: Self.two, checksChecksum: false)) != nil,
            (try? UDPDatagram(decoding: part, from: Self.one, to: Self.two)) != nil,
          ]
          read += outcomes.count(where: \.self)
          refused += outcomes.count { !$0 }
        }
      }
    }
    expect(read > 1_000 && refused > 1_000)
  }
}
