import CaptureFormats
import Conformance
import Expectations
import HCIPorts
import Testing

@testable import CaptureCheck
@testable import Commands

/// What a live capture shows on a terminal, from a clock that the test moves.
@Suite("The table of a live capture", .shippedEdition)
struct CaptureBoardTests {
  private let board = CaptureBoard()
  private let checker: LiveChecker

  init() { checker = LiveChecker(path: "test", judges: false, observers: [board]) }

  private func feed(_ opcode: UInt8, _ octets: [UInt8], at milliseconds: Int64) {
    let record = CaptureRecord(
      number: 1, linkType: 254, nanoseconds: milliseconds * 1_000_000, originalLength: 4 + octets.count, drops: 0,
      octets: [0, 0, 0, opcode] + octets)
    board.count(record)
    checker.read(record)
  }

  private func connect() {
    // LE Connection Complete: success, handle 0x0040, central, public 06:05:…, 30 ms, no latency, 2 s.
    feed(3, [0x3E, 19, 1, 0, 0x40, 0, 0, 0, 1, 2, 3, 4, 5, 6, 24, 0, 0, 0, 200, 0, 0], at: 1_000)
  }

  private func exchangeMTU() {
    feed(4, [0x40, 0, 7, 0, 3, 0, 4, 0, 0x02, 0xF7, 0x00], at: 1_100)
    feed(5, [0x40, 0x20, 7, 0, 3, 0, 4, 0, 0x03, 0xF7, 0x00], at: 1_200)
  }

  private func table(_ seconds: Double, height: Int = 24) -> String {
    board.table(
      at: seconds, files: .init(written: 3, path: "x"), kernelDrops: 7, adapters: checker.adapters, height: height
    ).joined(separator: "\n")
  }

  @Test("Counts, rates and links, line for line")
  func golden() {
    connect()
    exchangeMTU()
    equal(
      table(2),
      """
      00:02  captured 3, written 3, dropped by the kernel 7  1.5 packets/s

      adapter  address  name  packets  packets/s
      hci0     –        –           3        1.5

      link    adapter  peer               role     interval  ATT_MTU  ATT/s  octets/s  errors
      0x0040  hci0     06:05:04:03:02:01  central     30 ms      247    1.0       7.0       0
      """)
    // Rates follow: nothing has come for as long as they look back.
    _ = table(4)
    expect(table(7).contains("  0.0 packets/s\n"))
  }

  @Test("What happens is told in lines, once")
  func lines() {
    connect()
    exchangeMTU()
    feed(3, [0x05, 4, 0, 0x40, 0, 0x13], at: 2_500)
    equal(
      board.takeLines(),
      [
        "0.000000 s  hci0 link 0x0040 opened: central, peer 06:05:04:03:02:01, interval 30 ms",
        "0.200000 s  hci0 link 0x0040 ATT_MTU 247", "1.500000 s  hci0 link 0x0040 closed, reason 0x13",
      ])
    expect(board.takeLines().isEmpty)
    expect(!table(3).contains("0x0040"))
  }

  @Test("It never is higher than the terminal")
  func height() {
    for handle in 0..<20 as Range<UInt8> {
      feed(3, [0x3E, 19, 1, 0, handle, 0, 0, 0, 1, 2, 3, 4, 5, handle, 24, 0, 0, 0, 200, 0, 0], at: 1_000)
    }
    let text = table(1, height: 10).split(separator: "\n", omittingEmptySubsequences: false)
    expect(text.count <= 10)
    expect(table(1, height: 40).contains("0x0013"))
  }

  @Test("A drawing takes the one before it away, and a line between them stands above")
  func screen() {
    var written = ""
    let screen = CaptureScreen(isOn: true, size: { (20, 10) }, write: { written += $0 })
    screen.draw(["one", "a line that is longer than the terminal"])
    screen.clear()
    screen.draw(["two"])
    equal(written, "one\na line that is longe\n\u{1B}[2A\r\u{1B}[Jtwo\n")
    let off = CaptureScreen(isOn: false, size: { (20, 10) }, write: { written += $0 })
    off.draw(["three"])
    expect(!written.contains("three"))
  }

  @Test("Adapters are listed with what is missing below, and none is 2")
  func adapters() {
    var survey = AdapterSurvey()
    survey.adapters = [
      Adapter(
        index: 0, address: "00:AA:01:00:00:23", name: "guest", state: "up", activities: ["advertising"], bus: "USB",
        driver: "btusb", manufacturer: 0x02, maker: nil, hciVersion: 11)
    ]
    survey.problems = ["babbench capture: no permission"]
    var told: [String] = []
    var complaints: [String] = []
    let streams = OutputStreams(tell: { told.append($0) }, complain: { complaints.append($0) })
    equal(AdaptersCommand.execute(survey, asJSON: false, for: streams), 0)
    equal(
      told,
      [
        """
        adapter  address            state            bus  driver  manufacturer    name
        hci0     00:AA:01:00:00:23  up, advertising  USB  btusb   company 0x0002  guest
        """
      ])
    equal(complaints, survey.problems)
    survey.adapters = []
    equal(AdaptersCommand.execute(survey, asJSON: false, for: streams), 2)
  }
}
