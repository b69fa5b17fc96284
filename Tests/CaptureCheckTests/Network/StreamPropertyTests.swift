import CaptureFormats
import Expectations
import NetworkWire
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Streams that are cut, repeated, mixed and lost at random")
struct StreamPropertyTests {
  /// What a random capture of one direction shows, and what was sent.
  private struct Transfer {
    var sent: [UInt8]
    var records: [CaptureRecord]
    /// Nothing was lost on the way to the capture.
    var isWhole: Bool
  }

  private static func transfer(_ seed: UInt64) -> Transfer {
    var stream = RandomStream(seed: seed, component: "capture", purpose: "transfer")
    let sent = (0..<1 + Int(stream.below(3_000))).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
    var script = NetworkScript()
    script.initial = (UInt32(truncatingIfNeeded: stream.next()), UInt32(truncatingIfNeeded: stream.next()))
    let losesOpening = stream.below(4) == 0
    let losesPermille = [0, 0, 100, 400][Int(stream.below(4))]
    if !losesOpening { script.open() }
    var segments: [(offset: Int, end: Int)] = []
    var offset = 0
    while offset < sent.count {
      let end = min(sent.count, offset + 1 + Int(stream.below(200)))
      segments.append((offset, end))
      // Repeated later, with other borders.
      if stream.below(5) == 0 {
        let start = max(0, offset - Int(stream.below(150)))
        segments.append((start, min(sent.count, start + 1 + Int(stream.below(200)))))
      }
      offset = end
    }
    for index in segments.indices.dropLast() where stream.below(4) == 0 {
      segments.swapAt(index, min(segments.count - 1, index + 1 + Int(stream.below(4))))
    }
    var isWhole = true
    var received = 0
    for segment in segments {
      received = max(received, segment.end)
      if Int(stream.below(1_000)) < losesPermille {
        isWhole = false
      } else {
        script.segment(.client, segment.offset, Array(sent[segment.offset..<segment.end]))
      }
      if stream.below(3) == 0 {
        // A receiver acknowledges what it has in order; here it may claim more, which must do no harm.
        script.segment(.server, 0, "", acknowledges: stream.below(8) == 0 ? received : segment.offset)
      }
      if stream.below(20) == 0 { script.nanoseconds += 150_000_000 }
    }
    script.segment(.client, sent.count, "", flags: .fin)
    return Transfer(sent: sent, records: script.records, isWhole: isWhole && !losesOpening)
  }

  @Test("Octets that are told are those that were sent, at their place, and all others are announced as missing")
  func told() {
    var whole = 0
    for seed in UInt64(1)...400 {
      let transfer = Self.transfer(seed)
      let read = NetworkRecorder.read(transfer.records)
      let isMidway = !read.streams[0].isFromStart(.client)
      let side: TrafficStream.Side = read.streams[0].client.port == 50_000 ? .client : .server
      let pieces = read.pieces[NetworkRecorder.Direction(stream: 0, side: side)] ?? []
      // Where offset 0 is: midway, the sequence numbers say it.
      let base =
        isMidway
        ? pieces.first.flatMap { first in Self.place(of: first, in: transfer.sent, pieces) } ?? 0 : 0
      var next = 0
      var gaps = read.gaps.filter { $0.side == side }
      for piece in pieces {
        while let gap = gaps.first, gap.offset == next, gap.offset < piece.offset {
          next += gap.missing ?? 0
          gaps.removeFirst()
        }
        equal(piece.offset, next, "seed \(seed)")
        let start = base + piece.offset
        expect(
          start + piece.octets.count <= transfer.sent.count
            && transfer.sent[start..<start + piece.octets.count].elementsEqual(piece.octets), "seed \(seed)")
        next = piece.offset + piece.octets.count
      }
      next += gaps.compactMap(\.missing).reduce(0, +)
      if !isMidway { equal(next, transfer.sent.count, "seed \(seed)") }
      if transfer.isWhole, gaps.isEmpty, read.gaps.isEmpty {
        whole += 1
        equal(read.octets(0, .client), transfer.sent, "seed \(seed)")
      }
    }
    // Most of what nothing was lost of comes through whole; acknowledgements of what is late cost the rest.
    expect(whole > 60)
  }

  /// The place at which all pieces fit.
  private static func place(
    of first: NetworkRecorder.Piece, in sent: [UInt8], _ pieces: [NetworkRecorder.Piece]
  ) -> Int? {
    (0..<sent.count).first { base in
      pieces.allSatisfy { piece in
        let start = base + piece.offset - first.offset
        return start + piece.octets.count <= sent.count
          && sent[start..<start + piece.octets.count].elementsEqual(piece.octets)
      }
    }.map { $0 - first.offset }
  }

  @Test("A reader that hands out segments as they come is found out")
  func mutant() {
    var differs = 0
    for seed in UInt64(1)...40 {
      let transfer = Self.transfer(seed)
      let naive = transfer.records.flatMap { record -> [UInt8] in
        let packet = NetworkPacket(record, NetworkHeader(isOutgoing: nil))
        guard case .tcp(let segment) = packet.content, segment.sourcePort == 50_000 else { return [] }
        return Array(packet.payload)
      }
      if naive != transfer.sent { differs += 1 }
    }
    expect(differs > 20)
  }

  @Test("Every prefix and every flipped bit of foreign packets is survived, whatever the link is")
  func damage() throws {
    var script = NetworkScript()
    for frame in ForeignNetwork.names { script.add(frame: frame) }
    let sources =
      try [ForeignNetwork.loopback, ForeignNetwork.cooked2, ForeignNetwork.snapped].map(NetworkScript.records)
      + [script.records]
    var read = 0
    for records in sources {
      for (index, record) in records.enumerated() {
        for count in 0..<record.octets.count {
          var changed = records
          changed[index].octets = record.octets.prefix(count)
          read += NetworkRecorder.read(Array(changed[max(0, index - 1)..<min(records.count, index + 2)])).lines.count
        }
        for bit in 0..<record.octets.count * 8 {
          var changed = records
          var octets = Array(record.octets)
          octets[bit / 8] ^= 1 << (bit % 8)
          changed[index].octets = octets[...]
          read += NetworkRecorder.read(Array(changed[max(0, index - 1)..<min(records.count, index + 2)])).lines.count
        }
      }
    }
    expect(read > 1_000)
  }

  @Test("Octets of every link type that mean nothing are survived, and are put into words")
  func noise() {
    var stream = RandomStream(seed: 3, component: "capture", purpose: "noise")
    let links: [CaptureLink] = [.ethernet, .linuxCooked, .linuxCooked2, .rawIP, .null, .loop]
    let inspector = PacketInspector(filter: InspectFilter(), style: PacketInspector.Style(), protocols: [])
    for number in 1...4_000 {
      var octets = (0..<Int(stream.below(120))).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
      let link = links[number % links.count]
      let start = link.networkHeaderLength ?? 0
      // Half of them look like IP with TCP, UDP or an extension header.
      if octets.count > start + 44, stream.below(2) == 0 {
        let isSix = stream.below(2) == 0
        octets[start] = isSix ? 0x60 : 0x45
        octets[start + (isSix ? 6 : 9)] = [6, 17, 0, 44][Int(stream.below(4))]
        if link == .ethernet { octets.replaceSubrange(12..<14, with: isSix ? [0x86, 0xDD] : [8, 0]) }
      }
      let record = CaptureRecord(
        number: number, link: link, nanoseconds: 0, originalLength: octets.count + Int(stream.below(3)) * 100,
        body: .network(NetworkHeader(isOutgoing: nil)), octets: octets[...])
      let line = inspector.lines(record, file: 0, at: .zero)
      expect(line.map { $0.count > 30 } ?? false)
    }
  }
}
