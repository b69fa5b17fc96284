import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Extended advertising, scanning and initiating commands over legacy PDUs (Vol 4, Part E, 7.8.52 … 7.8.66).
@Suite("The controller's extended commands")
struct ControllerExtendedTests {
  private let address = BluetoothAddress(kind: .random, bits: 0xC001_0203_0405)

  private func advertiser(_ bench: ControllerBench) {
    for packet in [
      BumbleOctets.setEventMask, BumbleOctets.leSetEventMask, BumbleOctets.setParameters,
      BumbleOctets.setRandomAddress, BumbleOctets.setData, BumbleOctets.setScanResponse, BumbleOctets.enable,
    ] {
      let answer = bench.send(0, packet)
      expect(answer?[1] == 0x0E && answer?[6] == 0)
    }
  }

  private func scanner(_ bench: ControllerBench) {
    for packet in [
      BumbleOctets.setEventMask, BumbleOctets.leSetEventMask, BumbleOctets.randomAddress,
      BumbleOctets.scanParameters, BumbleOctets.scanEnable,
    ] {
      let answer = bench.send(1, packet)
      expect(answer?[1] == 0x0E && answer?[6] == 0)
    }
  }

  @Test("What Bumble sends advertises, is reported with legacy event types, and connects")
  func bumble() throws {
    let bench = ControllerBench(2)
    expect(!bench.world.controllers[0].uses(address))
    advertiser(bench)
    expect(bench.world.controllers[0].uses(address))
    scanner(bench)
    let report = try required(bench.event(1, le: 0x0D))
    // One report: ADV_IND by a legacy PDU from the set's random address, 1M, no SID, no power.
    equal(
      Array(report[4...]),
      [1, 0x13, 0, 1] + address.octets + [1, 0, 0xFF, 0x7F, report[18], 0, 0, 0] + [0, 0, 0, 0, 0, 0]
        + [3, 2, 1, 6])
    let response = try required(
      bench.first(1, within: .seconds(3)) { $0[1] == 0x3E && $0[3] == 0x0D && $0[5] == 0x1B })
    equal(Array(response.suffix(6)), [5, 4, 9, 0x42, 0x61, 0x62])
    // The advertiser had asked to be told of scan requests.
    let request = try required(bench.event(0, le: 0x13))
    equal(Array(request[4...]), [0, 1, 0xA1, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0])
    equal(bench.send(1, ControllerBench.packet(0x2042, [0, 0, 0, 0, 0, 0]))?[6], 0)
    _ = bench.take(0)
    _ = bench.take(1)
    equal(bench.send(1, BumbleOctets.create), [0x04, 0x0F, 4, 0, 1, 0x43, 0x20])
    let complete = try required(bench.event(1, le: 0x0A))
    expect(complete[4] == 0 && complete[7] == 0 && complete[8] == 1)
    equal(Array(complete[9..<15]), address.octets)
    equal(complete.count, 3 + 31)
    bench.run(for: .milliseconds(500))
    let events = bench.take(0).filter { $0[1] == 0x3E }
    equal(events.prefix(3).map { $0[3] }, [0x0A, 0x14, 0x12])
    // Success, set 0, the handle of the connection.
    equal(Array(events[2][4..<8]), [0, 0] + Array(events[0][5..<7]))
    expect(bench.take(1).contains { $0[1] == 0x3E && $0[3] == 0x14 })
  }

  @Test("A set's duration ends in Advertising Timeout, its number of events in Limit Reached")
  func limits() throws {
    let bench = ControllerBench(1)
    advertiser(bench)
    equal(bench.send(0, BumbleOctets.disableAll)?[6], 0)
    _ = bench.take(0)
    let began = bench.timeline.now
    equal(bench.command(0, 0x2039, [1, 1, 0, 50, 0, 0]), 0)
    let timeout = try required(bench.event(0, le: 0x12))
    equal(Array(timeout[4..<6]), [0x3C, 0])
    equal((bench.timeline.now - began).nanoseconds, 500_000_000)
    _ = bench.take(0)
    equal(bench.command(0, 0x2039, [1, 1, 0, 0, 0, 3]), 0)
    let limit = try required(bench.event(0, le: 0x12))
    equal(Array(limit[4...]), [0x43, 0, 0, 0, 3])
    _ = bench.take(0)
    bench.run(for: .seconds(1))
    expect(bench.take(0).isEmpty)
  }

  @Test("LE Coded and reserved properties are unsupported; properties of no PDU are invalid")
  func properties() {
    let bench = ControllerBench(1)
    func set(_ change: (inout [UInt8]) -> Void) -> UInt8? {
      var parameters = Array(BumbleOctets.setParameters[4...])
      change(&parameters)
      return bench.command(0, 0x2036, parameters)
    }
    for properties: UInt8 in [0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x20, 0x24, 0x40, 0x41] {
      equal(set { $0[1] = properties }, 0)
    }
    for properties: UInt8 in [0x03, 0x08, 0x0D, 0x21, 0x22] { equal(set { $0[1] = properties }, 0x12) }
    equal(set { $0[1] = 0x80 }, 0x11)
    equal(
      set {
        $0[1] = 0
        $0[22] = 3
      }, 0x11)
    equal(
      set {
        $0[1] = 0
        $0[22] = 4
      }, 0x12)
    equal(set { $0[20] = 3 }, 0x11)
    for properties: UInt8 in [0x11, 0x14, 0x17, 0x1F, 0x30, 0x50] { equal(set { $0[1] = properties }, 0x12) }
    for properties: UInt8 in [0x10, 0x12, 0x13, 0x15, 0x1D] { equal(set { $0[1] = properties }, 0) }
    equal(set { $0[0] = 0xF0 }, 0x12)
    equal(set { $0[3] = 0x1F }, 0x12)
    equal(set { $0[9] = 0 }, 0x12)
    equal(set { $0[10] = 4 }, 0x12)
    equal(set { $0[18] = 4 }, 0x12)
    equal(set { $0[19] = 21 }, 0x12)
    equal(set { $0[20] = 2 }, 0x12)
    equal(set { $0[23] = 16 }, 0x12)
    equal(set { $0[24] = 2 }, 0x12)
  }

  @Test("Sets are known by their handles, finite, and not to be changed while they advertise")
  func sets() throws {
    let bench = ControllerBench(1)
    for (opcode, parameters) in [
      (0x2035, [5, 1, 2, 3, 4, 5, 0xC0]), (0x2037, [5, 3, 1, 0]), (0x2038, [5, 3, 1, 0]), (0x203C, [5]),
      (0x2039, [1, 1, 5, 0, 0, 0]), (0x2039, [0, 1, 5, 0, 0, 0]),
    ] as [(UInt16, [UInt8])] {
      equal(bench.command(0, opcode, parameters), 0x42)
    }
    let count = try bench.returned(0, 0x203B)[0]
    try equal(bench.returned(0, 0x203A), [0x72, 0x06])
    var parameters = Array(BumbleOctets.setParameters[4...])
    for set in 0..<count {
      parameters[0] = set
      equal(bench.command(0, 0x2036, parameters), 0)
    }
    parameters[0] = count
    equal(bench.command(0, 0x2036, parameters), 0x07)
    // Without a random address none can begin, twins neither; with it, several advertise.
    equal(bench.command(0, 0x2039, [1, 1, 0, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2039, [1, 0]), 0x12)
    for set: UInt8 in 0...1 { equal(bench.command(0, 0x2035, [set, set, 2, 3, 4, 5, 0xC0]), 0) }
    equal(bench.command(0, 0x2039, [1, 2, 0, 0, 0, 0, 0, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2039, [1, 2, 0, 0, 0, 0, 2, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x203D), 0)
    equal(bench.command(0, 0x2039, [1, 1, 0, 0, 0, 0]), 0x42)
    for set: UInt8 in 0...1 {
      parameters[0] = set
      equal(bench.command(0, 0x2036, parameters), 0)
      equal(bench.command(0, 0x2035, [set, set, 2, 3, 4, 5, 0xC0]), 0)
    }
    equal(bench.command(0, 0x2039, [1, 2, 0, 0, 0, 0, 1, 0, 0, 0]), 0)
    equal(bench.command(0, 0x2036, parameters), 0x0C)
    equal(bench.command(0, 0x2035, [0, 9, 2, 3, 4, 5, 0xC0]), 0x0C)
    equal(bench.command(0, 0x203C, [0]), 0x0C)
    equal(bench.command(0, 0x203D), 0x0C)
    equal(bench.command(0, 0x2039, [0, 1, 0, 0, 0, 0]), 0)
    equal(bench.command(0, 0x203C, [0]), 0)
    equal(bench.command(0, 0x2039, [0, 0]), 0)
    equal(bench.command(0, 0x203D), 0)
  }

  @Test("Two sets advertise side by side, each with its own address and data")
  func twoSets() throws {
    let bench = ControllerBench(2)
    advertiser(bench)
    var parameters = Array(BumbleOctets.setParameters[4...])
    parameters[0] = 7
    parameters[1] = 0x10
    equal(bench.command(0, 0x2036, parameters), 0)
    equal(bench.command(0, 0x2035, [7, 1, 1, 1, 1, 1, 0xC1]), 0)
    equal(bench.command(0, 0x2037, [7, 3, 1, 4, 3, 0xFF, 1, 2]), 0)
    equal(bench.command(0, 0x2039, [1, 1, 7, 0, 0, 0]), 0)
    scanner(bench)
    bench.run(for: .seconds(2))
    let reports = bench.take(1).filter { $0[1] == 0x3E && $0[3] == 0x0D }
    let first = reports.filter { $0[5] == 0x13 && Array($0[8..<14]) == address.octets }
    let second = reports.filter { $0[5] == 0x10 && Array($0[8..<14]) == [1, 1, 1, 1, 1, 0xC1] }
    expect(first.count > 30 && second.count > 30)
    expect(second.allSatisfy { Array($0.suffix(5)) == [4, 3, 0xFF, 1, 2] })
  }

  @Test("Data come whole and at most 31 octets with legacy PDUs; scan responses where there can be one")
  func data() {
    let bench = ControllerBench(1)
    equal(bench.send(0, BumbleOctets.setParameters)?[6], 0)
    for operation: UInt8 in [0, 1, 2, 4, 5] { equal(bench.command(0, 0x2037, [0, operation, 1, 1, 9]), 0x12) }
    equal(bench.command(0, 0x2037, [0, 3, 2, 1, 9]), 0x12)
    equal(bench.command(0, 0x2037, [0, 3, 1, 32] + [UInt8](repeating: 0, count: 32)), 0x12)
    equal(bench.command(0, 0x2037, [0, 3, 1, 31] + [UInt8](repeating: 0, count: 31)), 0)
    equal(bench.command(0, 0x2038, [0, 4, 1, 0]), 0x12)
    var parameters = Array(BumbleOctets.setParameters[4...])
    parameters[1] = 0x10
    equal(bench.command(0, 0x2036, parameters), 0)
    equal(bench.command(0, 0x2038, [0, 3, 1, 1, 9]), 0x12)
    equal(bench.command(0, 0x2038, [0, 3, 1, 0]), 0)
    parameters[1] = 0x15
    equal(bench.command(0, 0x2036, parameters), 0)
    equal(bench.command(0, 0x2037, [0, 3, 1, 1, 9]), 0x12)
  }

  @Test("Extended scanning: LE 1M only, ranges, duration and period")
  func scanning() throws {
    let bench = ControllerBench(2)
    bench.unmask(0)
    equal(bench.command(0, 0x2041, [0, 0, 4, 0, 16, 0, 16, 0]), 0x11)
    equal(bench.command(0, 0x2041, [0, 0, 5, 0, 16, 0, 16, 0, 0, 16, 0, 16, 0]), 0x11)
    equal(bench.command(0, 0x2041, [0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2041, [0, 0, 1, 0, 3, 0, 3, 0]), 0x12)
    equal(bench.command(0, 0x2041, [0, 0, 1, 0, 16, 0, 17, 0]), 0x12)
    equal(bench.command(0, 0x2041, [1, 0, 1, 0, 16, 0, 16, 0]), 0)
    equal(bench.command(0, 0x2042, [1, 0, 0, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2041, [0, 0, 1, 0, 0, 0x80, 0, 0x80]), 0)
    equal(bench.command(0, 0x2042, [1, 3, 0, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2042, [1, 2, 10, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2042, [1, 0, 128, 0, 1, 0]), 0x12)
    let began = bench.timeline.now
    equal(bench.command(0, 0x2042, [1, 0, 25, 0, 0, 0]), 0)
    equal(bench.command(0, 0x2041, [0, 0, 1, 0, 16, 0, 16, 0]), 0x0C)
    expect(bench.event(0, le: 0x11) != nil)
    equal((bench.timeline.now - began).nanoseconds, 250_000_000)
    // Every period reports anew, for its duration.
    equal(bench.command(1, 0x2006, ControllerBench.advertising(type: 3)), 0)
    equal(bench.command(1, 0x200A, [1]), 0)
    _ = bench.take(0)
    equal(bench.command(0, 0x2042, [1, 2, 50, 0, 1, 0]), 0)
    bench.run(for: .milliseconds(1_280 * 4))
    equal(bench.take(0).filter { $0[1] == 0x3E && $0[3] == 0x0D }.count, 4)
    equal(bench.command(0, 0x2042, [0, 0, 0, 0, 0, 0]), 0)
    bench.run(for: .seconds(2))
    expect(bench.take(0).allSatisfy { $0[1] == 0x0E })
  }

  @Test("Extended Create Connection: LE Coded is unsupported, LE 1M is needed")
  func creation() {
    let bench = ControllerBench(1)
    equal(bench.send(0, BumbleOctets.randomAddress)?[6], 0)
    var parameters = Array(BumbleOctets.create[4...])
    parameters[9] = 5
    equal(bench.command(0, 0x2043, parameters), 0x11)
    equal(bench.command(0, 0x2043, Array(parameters[..<9]) + [2] + parameters[26...]), 0x12)
    equal(bench.command(0, 0x2043, Array(parameters[..<9]) + [0]), 0x12)
    equal(bench.command(0, 0x2043, Array(BumbleOctets.create[4...])), 0)
    equal(bench.command(0, 0x2043, Array(BumbleOctets.create[4...])), 0x0C)
    equal(bench.command(0, 0x200E), 0)
  }
}

/// Commands as Bumble 0.0.236 makes them (`bytes(HCI_LE_…_Command(…))`).
enum BumbleOctets {
  static let setEventMask: [UInt8] = [0x01, 0x01, 0x0C, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F]
  static let leSetEventMask: [UInt8] = [0x01, 0x01, 0x20, 0x08, 0x07, 0x12, 0x0F, 0x00, 0x00, 0x00, 0x00, 0x00]
  static let setParameters: [UInt8] = [
    0x01, 0x36, 0x20, 0x19, 0x00, 0x13, 0x00, 0x20, 0x00, 0x00, 0x20, 0x00,
    0x00, 0x07, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x7F, 0x01, 0x00, 0x01, 0x00, 0x01,
  ]
  static let setRandomAddress: [UInt8] = [0x01, 0x35, 0x20, 0x07, 0x00, 0x05, 0x04, 0x03, 0x02, 0x01, 0xC0]
  static let setData: [UInt8] = [0x01, 0x37, 0x20, 0x07, 0x00, 0x03, 0x01, 0x03, 0x02, 0x01, 0x06]
  static let setScanResponse: [UInt8] = [
    0x01, 0x38, 0x20, 0x09, 0x00, 0x03, 0x01, 0x05, 0x04, 0x09, 0x42, 0x61,
    0x62,
  ]
  static let enable: [UInt8] = [0x01, 0x39, 0x20, 0x06, 0x01, 0x01, 0x00, 0x00, 0x00, 0x00]
  static let disableAll: [UInt8] = [0x01, 0x39, 0x20, 0x02, 0x00, 0x00]
  static let scanParameters: [UInt8] = [0x01, 0x41, 0x20, 0x08, 0x01, 0x00, 0x01, 0x01, 0x60, 0x00, 0x60, 0x00]
  static let scanEnable: [UInt8] = [0x01, 0x42, 0x20, 0x06, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00]
  static let randomAddress: [UInt8] = [0x01, 0x05, 0x20, 0x06, 0xA1, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0]
  static let create: [UInt8] = [
    0x01, 0x43, 0x20, 0x2A, 0x00, 0x01, 0x01, 0x05, 0x04, 0x03, 0x02, 0x01, 0xC0, 0x03,
    0x60, 0x00, 0x60, 0x00, 0x18, 0x00, 0x18, 0x00, 0x00, 0x00, 0x48, 0x00, 0x00, 0x00, 0x00, 0x00, 0x60, 0x00, 0x60,
    0x00, 0x18, 0x00, 0x18, 0x00, 0x00, 0x00, 0x48, 0x00, 0x00, 0x00, 0x00, 0x00,
  ]
}
