import CaptureFormats
import Expectations
import Testing

@Suite("Files that are cut or changed anywhere")
struct CaptureDamageTests {
  /// Small files of every format, made by others or by hand.
  static let small: [[UInt8]] = [
    BTSnoopTests.android, PCAPNGTests.ubertooth, PCAPNGTests.written, PacketLoggerTests.little, PacketLoggerTests.big,
    NetworkCaptureTests.loopback,
    CaptureWriter.file((try? ReadFile(PCAPNGTests.ubertooth).records) ?? [], .pcap).octets,
    CaptureWriter.file((try? ReadFile(BTSnoopTests.android).records) ?? [], .pcap).octets,
  ]

  /// What a reader makes of a file: its records, and where it stopped.
  private struct Reading: Equatable {
    var records: [CaptureRecord] = []
    var ending: CaptureEnding?
    var error: CaptureError?

    init(_ octets: [UInt8], chunk: Int = .max) {
      var reader = CaptureReader()
      var position = 0
      do {
        repeat {
          let count = min(chunk, octets.count - position)
          reader.append(Array(octets[position..<position + count]))
          position += count
          while var record = try reader.next() {
            record.octets = Array(record.octets)[...]
            records.append(record)
          }
        } while position < octets.count
        try reader.finish()
        ending = reader.ending
      } catch {
        self.error = error
      }
    }
  }

  @Test("Every prefix of a small file is read as far as it goes", arguments: small)
  func prefixes(_ file: [UInt8]) {
    let whole = Reading(file)
    expect(whole.ending == .whole && !whole.records.isEmpty)
    for count in 0..<file.count {
      let cut = Reading(Array(file.prefix(count)))
      equal(cut.records, Array(whole.records.prefix(cut.records.count)))
      if case .truncated(let offset)? = cut.ending { expect(offset <= count) }
      expect(Reading(Array(file.prefix(count)), chunk: 1) == cut || cut.error != nil)
    }
  }

  @Test("Every value of every octet of a small file is read or refused", arguments: small)
  func octets(_ file: [UInt8]) {
    for index in file.indices {
      for value in UInt8.min...UInt8.max {
        var changed = file
        changed[index] = value
        let reading = Reading(changed)
        expect(reading.records.count <= file.count / 12)
        // Whatever was read can be written, or is refused.
        if value & 127 == 0 {
          for format in CaptureFormat.written { _ = CaptureWriter.file(reading.records, format) }
        }
      }
    }
  }

  @Test(
    "Pieces of any size make no difference, and cut and changed captures do no harm",
    .enabled(if: SharedFile.areAvailable))
  func shared() throws {
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for entry in try SharedFile.entries() where entry.packets > 0 {
      // The start of a long file has all that its rest has.
      let file = Array(try SharedFile.octets(entry).prefix(6_000))
      let whole = Reading(file)
      for chunk in [1, 7, 4_096] {
        let pieces = Reading(file, chunk: chunk)
        equal(pieces, whole, "\(entry) in pieces of \(chunk)")
      }
      for _ in 0..<4 {
        let cut = Reading(Array(file.prefix(random(file.count))))
        equal(cut.records, Array(whole.records.prefix(cut.records.count)), "\(entry)")
      }
      for _ in 0..<12 {
        var changed = file
        changed[random(file.count)] = UInt8(random(256))
        expect(Reading(changed).records.count <= file.count / 12)
      }
    }
  }

  @Test("A record longer than the limit is refused before it is kept")
  func limits() {
    var reader = CaptureReader()
    reader.append([UInt8].hex("6274736e6f6f7000 00000001 000003ea"))
    reader.append([UInt8].hex("7fffffff 00100001 00000000 00000000 0000000000000000"))
    #expect(throws: CaptureError(.lengthOutOfRange, at: 20)) { try reader.next() }
    // Interfaces without end.
    var file = [UInt8].hex("0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000")
    let interface = [UInt8].hex("01000000 14000000 c900 0000 00000000 14000000")
    for _ in 0..<CaptureLimits.interfaces { file += interface }
    #expect(throws: Never.self) { try ReadFile(file) }
    #expect(throws: CaptureError(.unknownInterface, at: file.count)) { try ReadFile(file + interface) }
  }

  @Test("Comments are kept up to the limit")
  func comments() throws {
    var file: [UInt8] = []
    let many = (0..<200).map { "comment \($0)" }
    PCAPNG.appendSectionHeader(application: "tests", comments: many, to: &file)
    PCAPNG.appendInterface(linkType: 187, name: nil, to: &file)
    PCAPNG.appendPacket([1, 3, 12, 0], nanoseconds: 0, comments: many, to: &file)
    for _ in 0..<3 { PCAPNG.appendRemarks(many, nanoseconds: 0, to: &file) }
    let read = try ReadFile(file)
    equal(read.reader.sectionComments, Array(many.prefix(CaptureLimits.comments)))
    equal(read.records[0].comments, Array(many.prefix(CaptureLimits.comments)))
    equal(read.reader.remarks, Array(many.prefix(CaptureLimits.comments)))
  }
}
