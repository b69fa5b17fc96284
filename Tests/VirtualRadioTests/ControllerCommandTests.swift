import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// What a controller says of itself, and how it answers (Vol 4, Part E, 3.1, 4.5, 6.27, 7.3, 7.4).
@Suite("The controller's commands")
struct ControllerCommandTests {
  @Test(
    "A bit of the supported commands is set exactly where the answer is not Unknown HCI Command",
    arguments: [false, true])
  func supportedCommands(hasAll: Bool) throws {
    let bench = ControllerBench(1) { radio, _ in
      (radio.supportsSubrating, radio.supportsSyncTransfer) = (hasAll, hasAll)
      radio.supportsPeriodicResponses = hasAll
    }
    let bits = try bench.returned(0, 0x1002)
    equal(bits.count, 64)
    var known = 0
    for (opcode, octet, bit) in Self.commands {
      let isKnown = bench.command(0, opcode) != 0x01
      equal(isKnown, (bits[octet] >> bit & 1 == 1), "opcode \(opcode)")
      known += isKnown ? 1 : 0
    }
    equal(known, bits.reduce(0) { $0 + $1.nonzeroBitCount })
    expect(known >= (hasAll ? 87 : 76))
  }

  @Test("Nothing is known beside the supported commands")
  func unknownCommands() throws {
    let bench = ControllerBench(1)
    var known = [Bool](repeating: false, count: 0x1_0000)
    for opcode in Self.commands.map(\.opcode) + [0x1002] { known[Int(opcode)] = true }
    // Opcode 0 is no command: its Command Complete only returns credits, and has no status.
    for opcode in 1...UInt16.max where !known[Int(opcode)] {
      guard bench.command(0, opcode) == 0x01 else {
        Issue.record("opcode \(opcode) is executed")
        continue
      }
    }
  }

  @Test("Features: BR/EDR not supported, LE supported, one page; extended and periodic advertising and privacy in LE")
  func features() throws {
    let bench = ControllerBench(1)
    try equal(bench.returned(0, 0x1003), [0, 0, 0, 0, 0x60, 0, 0, 0])
    try equal(bench.returned(0, 0x1004, [0]), [0, 0, 0, 0, 0, 0, 0x60, 0, 0, 0])
    equal(bench.command(0, 0x1004, [1]), 0x12)
    let le = try bench.returned(0, 0x2003)
    equal(le, [0xFF, 0x71, 0, 0, 0, 0, 0, 0])
    try equal(bench.returned(0, 0x201C), [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0, 0])
    try equal(bench.returned(0, 0x1005), [251, 0, 0, 8, 0, 0, 0])
    try equal(bench.returned(0, 0x2002), [251, 0, 8])
    try equal(bench.returned(0, 0x100B), [0, 0])
    try equal(bench.returned(0, 0x1009), ControllerBench.publicAddress(0).octets)
  }

  @Test("A controller with a random address alone has no public one")
  func noPublicAddress() throws {
    let bench = ControllerBench([RadioBench.address(0)])
    try equal(bench.returned(0, 0x1009), [0, 0, 0, 0, 0, 0])
    equal(bench.command(0, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(0, 0x200A, [1]), 0x12)
  }

  @Test("Before the masks are set no LE event passes; each bit lets its event pass, and answers cannot be masked")
  func eventMasks() throws {
    let bench = ControllerBench(2)
    equal(bench.command(1, 0x2006, ControllerBench.advertising()), 0)
    equal(bench.command(1, 0x200A, [1]), 0)
    equal(bench.command(0, 0x200B, [0, 0x10, 0, 0x10, 0, 0, 0]), 0)
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    expect(bench.event(0, le: 0x02, within: .seconds(1)) == nil)
    // LE Meta is bit 61; LE Advertising Report bit 1 of the LE mask, and set by default.
    equal(bench.command(0, 0x0C01, [0, 0, 0, 0, 0, 0, 0, 0x20]), 0)
    expect(bench.event(0, le: 0x02, within: .seconds(1)) != nil)
    equal(bench.command(0, 0x2001, [0xFD, 0xFF, 0, 0, 0, 0, 0, 0]), 0)
    _ = bench.take(0)
    expect(bench.event(0, le: 0x02, within: .seconds(1)) == nil)
    // All masked: answers still come.
    equal(bench.command(0, 0x0C01, [UInt8](repeating: 0, count: 8)), 0)
    equal(bench.command(0, 0x2001, [UInt8](repeating: 0, count: 8)), 0)
    equal(bench.command(0, 0x0C63, [UInt8](repeating: 0, count: 8)), 0)
    equal(bench.command(0, 0x1009), 0)
    bench.send(0, [0x05, 1, 2, 3])
    expect(bench.take(0).allSatisfy { $0[1] == 0x0E })
  }

  @Test("Disconnection Complete can be masked, Number Of Completed Packets cannot")
  func maskedDisconnection() throws {
    let bench = ControllerBench(2)
    let (central, peripheral) = try bench.connect(0, to: 1)
    equal(bench.command(0, 0x0C01, [UInt8](repeating: 0, count: 8)), 0)
    bench.send(0, [0x02] + central.octets + [4, 0, 1, 2, 3, 4])
    _ = bench.take(0)
    bench.run(for: .milliseconds(200))
    equal(bench.take(0), [[0x04, 0x13, 5, 1] + central.octets + [1, 0]])
    equal(bench.command(1, 0x0406, peripheral.octets + [0x13]), 0)
    bench.run(for: .seconds(1))
    expect(bench.take(0).isEmpty)
    expect(bench.take(1).contains([0x04, 0x05, 4, 0] + peripheral.octets + [0x16]))
  }

  @Test("A refusal comes by the event that the command is answered with, with its return parameters")
  func refusals() {
    let bench = ControllerBench(1)
    // Disconnect, LE Create Connection: Command Status. Too short, unknown handle, reason out of range.
    equal(bench.send(0, ControllerBench.packet(0x0406, [0x40])), [0x04, 0x0F, 4, 0x12, 1, 0x06, 0x04])
    equal(bench.send(0, ControllerBench.packet(0x0406, [0x40, 0, 0x13])), [0x04, 0x0F, 4, 0x02, 1, 0x06, 0x04])
    equal(bench.send(0, ControllerBench.packet(0x200D)), [0x04, 0x0F, 4, 0x12, 1, 0x0D, 0x20])
    equal(bench.send(0, ControllerBench.packet(0x2043)), [0x04, 0x0F, 4, 0x12, 1, 0x43, 0x20])
    // Read RSSI and LE Set Data Length: Command Complete with the handle.
    equal(
      bench.send(0, ControllerBench.packet(0x1405, [0x40, 0])), [0x04, 0x0E, 7, 1, 0x05, 0x14, 0x02, 0x40, 0, 0])
    equal(
      bench.send(0, ControllerBench.packet(0x2022, [0x40, 0])), [0x04, 0x0E, 6, 1, 0x22, 0x20, 0x12, 0x40, 0])
    // An unknown one is answered by Command Status.
    equal(bench.send(0, ControllerBench.packet(0x0401, [1, 2])), [0x04, 0x0F, 4, 0x01, 1, 0x01, 0x04])
  }

  @Test("After a legacy advertising command the extended ones are disallowed, and the other way round, until reset")
  func mixing() {
    let bench = ControllerBench(1)
    // Questions for limits come at start-up and bind nobody.
    equal(bench.command(0, 0x203A), 0)
    equal(bench.command(0, 0x203B), 0)
    equal(bench.command(0, 0x2008, [UInt8](repeating: 0, count: 32)), 0)
    equal(bench.command(0, 0x203D), 0x0C)
    equal(bench.command(0, 0x203A), 0x0C)
    equal(bench.command(0, 0x2041, [0, 0, 1, 0, 16, 0, 16, 0]), 0x0C)
    equal(bench.command(0, 0x0C03), 0)
    equal(bench.command(0, 0x203D), 0)
    equal(bench.command(0, 0x2008, [UInt8](repeating: 0, count: 32)), 0x0C)
    equal(bench.command(0, 0x2007), 0x0C)
    equal(
      bench.send(0, ControllerBench.packet(0x200D, ControllerBench.connection(to: .init(kind: .random, bits: 1)))),
      [0x04, 0x0F, 4, 0x0C, 1, 0x0D, 0x20])
  }

  @Test("Reset leaves nothing of what was set")
  func reset() throws {
    let bench = ControllerBench(2)
    let fresh = ControllerBench(2)
    _ = try bench.connect(0, to: 1)
    equal(bench.command(0, 0x2011, [0, 1, 2, 3, 4, 5, 6]), 0)
    equal(bench.command(0, 0x2027, [0, 1, 2, 3, 4, 5, 6] + [UInt8](repeating: 9, count: 32)), 0)
    equal(bench.command(0, 0x2024, [0xFB, 0, 0x48, 8]), 0)
    equal(bench.command(0, 0x202D, [1]), 0)
    equal(bench.command(0, 0x2006, ControllerBench.advertising(type: 3)), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    _ = bench.take(0)
    bench.send(0, ControllerBench.packet(0x0C03))
    equal(bench.take(0), [[0x04, 0x0E, 4, 1, 0x03, 0x0C, 0]])
    try equal(bench.returned(0, 0x2023), fresh.returned(0, 0x2023))
    equal(bench.command(0, 0x2028, [0, 1, 2, 3, 4, 5, 6]), 0x02)
    bench.run(for: .seconds(5))
    // The links died in silence: the peer finds out by its supervision timeout, this host hears nothing.
    expect(bench.take(1).contains { $0[1] == 0x05 && $0[6] == 0x08 })
    expect(bench.take(0).allSatisfy { $0[1] == 0x0E })
  }

  @Test("A host that goes leaves nothing behind, and the next one finds a controller that works")
  func hostIsGone() throws {
    let bench = ControllerBench(2)
    let (_, peripheral) = try bench.connect(0, to: 1)
    _ = bench.take(0)
    _ = bench.take(1)
    bench.world.controllers[0].hostIsGone()
    bench.run(for: .seconds(5))
    expect(bench.take(0).isEmpty)
    equal(bench.take(1), [[0x04, 0x05, 4, 0] + peripheral.octets + [0x08]])
    _ = try bench.connect(0, to: 1)
  }

  /// Opcode, octet and bit of the commands, as Bumble 0.0.236 has them (`HCI_SUPPORTED_COMMANDS_MASKS`).
  private static let commands: [(opcode: UInt16, octet: Int, bit: UInt8)] = [
    (0x0401, 0, 0), (0x0402, 0, 1), (0x0403, 0, 2), (0x0404, 0, 3), (0x0405, 0, 4), (0x0406, 0, 5), (0x0408, 0, 7),
    (0x0409, 1, 0), (0x040A, 1, 1), (0x040B, 1, 2), (0x040C, 1, 3), (0x040D, 1, 4), (0x040E, 1, 5), (0x040F, 1, 6),
    (0x0411, 1, 7), (0x0413, 2, 0), (0x0415, 2, 1), (0x0417, 2, 2), (0x0419, 2, 3), (0x041A, 2, 4), (0x041B, 2, 5),
    (0x041C, 2, 6), (0x041D, 2, 7), (0x041F, 3, 0), (0x0420, 3, 1), (0x0428, 16, 3), (0x0429, 16, 4), (0x042A, 16, 5),
    (0x042B, 18, 7), (0x042C, 19, 0), (0x042D, 19, 1), (0x042E, 19, 2), (0x042F, 19, 3), (0x0430, 19, 4),
    (0x0433, 19, 7), (0x0434, 20, 3), (0x043D, 29, 3), (0x043E, 29, 4), (0x043F, 30, 6), (0x0440, 30, 7),
    (0x0441, 31, 0), (0x0442, 31, 1), (0x0443, 31, 2), (0x0444, 31, 3), (0x0445, 32, 1), (0x0801, 4, 1),
    (0x0803, 4, 2), (0x0804, 4, 3), (0x0807, 4, 6), (0x0809, 4, 7), (0x080B, 5, 0), (0x080C, 5, 1), (0x080D, 5, 2),
    (0x080E, 5, 3), (0x080F, 5, 4), (0x0810, 5, 5), (0x0811, 17, 4), (0x0C01, 5, 6), (0x0C03, 5, 7), (0x0C05, 6, 0),
    (0x0C08, 6, 1), (0x0C09, 6, 2), (0x0C0A, 6, 3), (0x0C0D, 6, 5), (0x0C11, 6, 6), (0x0C12, 6, 7), (0x0C13, 7, 0),
    (0x0C14, 7, 1), (0x0C15, 7, 2), (0x0C16, 7, 3), (0x0C17, 7, 4), (0x0C18, 7, 5), (0x0C19, 7, 6), (0x0C1A, 7, 7),
    (0x0C1B, 8, 0), (0x0C1C, 8, 1), (0x0C1D, 8, 2), (0x0C1E, 8, 3), (0x0C1F, 8, 4), (0x0C20, 8, 5), (0x0C23, 9, 0),
    (0x0C24, 9, 1), (0x0C25, 9, 2), (0x0C26, 9, 3), (0x0C27, 9, 4), (0x0C28, 9, 5), (0x0C29, 9, 6), (0x0C2A, 9, 7),
    (0x0C2B, 10, 0), (0x0C2C, 10, 1), (0x0C2D, 10, 2), (0x0C2E, 10, 3), (0x0C2F, 10, 4), (0x0C31, 10, 5),
    (0x0C33, 10, 6), (0x0C35, 10, 7), (0x0C36, 11, 0), (0x0C37, 11, 1), (0x0C38, 11, 2), (0x0C39, 11, 3),
    (0x0C3A, 11, 4), (0x0C3F, 12, 1), (0x0C42, 12, 4), (0x0C43, 12, 5), (0x0C44, 12, 6), (0x0C45, 12, 7),
    (0x0C46, 13, 0), (0x0C47, 13, 1), (0x0C48, 13, 2), (0x0C49, 13, 3), (0x0C51, 17, 0), (0x0C52, 17, 1),
    (0x0C53, 17, 2), (0x0C55, 17, 5), (0x0C56, 17, 6), (0x0C57, 17, 7), (0x0C58, 18, 0), (0x0C59, 18, 1),
    (0x0C5A, 18, 2), (0x0C5B, 18, 3), (0x0C5F, 19, 6), (0x0C60, 20, 2), (0x0C63, 22, 2), (0x0C66, 23, 0),
    (0x0C67, 23, 1), (0x0C68, 24, 0), (0x0C6C, 24, 5), (0x0C6D, 24, 6), (0x0C6E, 29, 6), (0x0C6F, 29, 7),
    (0x0C70, 30, 0), (0x0C71, 30, 1), (0x0C72, 30, 2), (0x0C73, 30, 4), (0x0C74, 31, 4), (0x0C75, 31, 5),
    (0x0C76, 31, 6), (0x0C77, 31, 7), (0x0C78, 32, 0), (0x0C79, 32, 2), (0x0C7A, 32, 3), (0x0C7B, 32, 4),
    (0x0C7C, 32, 5), (0x0C7D, 32, 6), (0x0C7E, 33, 0), (0x0C7F, 33, 1), (0x0C80, 33, 2), (0x0C81, 33, 3),
    (0x0C82, 45, 1), (0x0C83, 45, 5), (0x0C84, 45, 7), (0x1001, 14, 3), (0x1003, 14, 5), (0x1004, 14, 6),
    (0x1005, 14, 7), (0x1009, 15, 1), (0x100A, 23, 2), (0x100B, 29, 5), (0x100C, 41, 3), (0x100D, 45, 2),
    (0x100E, 45, 3), (0x100F, 45, 4), (0x1401, 15, 2), (0x1402, 15, 3), (0x1403, 15, 4), (0x1405, 15, 5),
    (0x1406, 15, 6), (0x1407, 15, 7), (0x1408, 20, 4), (0x140C, 30, 3), (0x140D, 30, 5), (0x1801, 16, 0),
    (0x1802, 16, 1), (0x1803, 16, 2), (0x1804, 19, 5), (0x180A, 32, 7), (0x2001, 25, 0), (0x2002, 25, 1),
    (0x2003, 25, 2), (0x2005, 25, 4), (0x2006, 25, 5), (0x2007, 25, 6), (0x2008, 25, 7), (0x2009, 26, 0),
    (0x200A, 26, 1), (0x200B, 26, 2), (0x200C, 26, 3), (0x200D, 26, 4), (0x200E, 26, 5), (0x200F, 26, 6),
    (0x2010, 26, 7), (0x2011, 27, 0), (0x2012, 27, 1), (0x2013, 27, 2), (0x2014, 27, 3), (0x2015, 27, 4),
    (0x2016, 27, 5), (0x2017, 27, 6), (0x2018, 27, 7), (0x2019, 28, 0), (0x201A, 28, 1), (0x201B, 28, 2),
    (0x201C, 28, 3), (0x201D, 28, 4), (0x201E, 28, 5), (0x201F, 28, 6), (0x2020, 33, 4), (0x2021, 33, 5),
    (0x2022, 33, 6), (0x2023, 33, 7), (0x2024, 34, 0), (0x2025, 34, 1), (0x2026, 34, 2), (0x2027, 34, 3),
    (0x2028, 34, 4), (0x2029, 34, 5), (0x202A, 34, 6), (0x202B, 34, 7), (0x202C, 35, 0), (0x202D, 35, 1),
    (0x202E, 35, 2), (0x202F, 35, 3), (0x2030, 35, 4), (0x2031, 35, 5), (0x2032, 35, 6), (0x2033, 35, 7),
    (0x2034, 36, 0), (0x2035, 36, 1), (0x2036, 36, 2), (0x2037, 36, 3), (0x2038, 36, 4), (0x2039, 36, 5),
    (0x203A, 36, 6), (0x203B, 36, 7), (0x203C, 37, 0), (0x203D, 37, 1), (0x203E, 37, 2), (0x203F, 37, 3),
    (0x2040, 37, 4), (0x2041, 37, 5), (0x2042, 37, 6), (0x2043, 37, 7), (0x2044, 38, 0), (0x2045, 38, 1),
    (0x2046, 38, 2), (0x2047, 38, 3), (0x2048, 38, 4), (0x2049, 38, 5), (0x204A, 38, 6), (0x204B, 38, 7),
    (0x204C, 39, 0), (0x204D, 39, 1), (0x204E, 39, 2), (0x204F, 39, 3), (0x2050, 39, 4), (0x2051, 39, 5),
    (0x2052, 39, 6), (0x2053, 39, 7), (0x2054, 40, 0), (0x2055, 40, 1), (0x2056, 40, 2), (0x2057, 40, 3),
    (0x2058, 40, 4), (0x2059, 40, 5), (0x205A, 40, 6), (0x205B, 40, 7), (0x205C, 41, 0), (0x205D, 41, 1),
    (0x205E, 41, 2), (0x205F, 41, 4), (0x2060, 41, 5), (0x2061, 41, 6), (0x2062, 41, 7), (0x2063, 42, 0),
    (0x2064, 42, 1), (0x2065, 42, 2), (0x2066, 42, 3), (0x2067, 42, 4), (0x2068, 42, 5), (0x2069, 42, 6),
    (0x206A, 42, 7), (0x206B, 43, 0), (0x206C, 43, 1), (0x206D, 43, 2), (0x206E, 43, 3), (0x206F, 43, 4),
    (0x2070, 43, 5), (0x2071, 43, 6), (0x2072, 43, 7), (0x2073, 44, 0), (0x2074, 44, 1), (0x2075, 44, 2),
    (0x2076, 44, 3), (0x2077, 44, 4), (0x2078, 44, 5), (0x2079, 44, 6), (0x207A, 44, 7), (0x207B, 45, 0),
    (0x207C, 45, 6), (0x207D, 46, 0), (0x207E, 46, 1), (0x207F, 46, 2), (0x2080, 46, 3), (0x2081, 46, 4),
    (0x2082, 46, 5), (0x2083, 46, 6), (0x2084, 46, 7), (0x2085, 47, 0), (0x2086, 47, 1), (0x2087, 47, 2),
    (0x2088, 47, 3), (0x2089, 20, 5), (0x208A, 20, 6), (0x208B, 20, 7), (0x208C, 24, 1), (0x208D, 24, 7),
    (0x208E, 12, 2), (0x208F, 12, 3), (0x2090, 16, 6), (0x2091, 16, 7), (0x2092, 29, 0), (0x2093, 29, 1),
    (0x2094, 29, 2), (0x2095, 23, 3), (0x2096, 23, 4), (0x2097, 47, 4), (0x2098, 47, 5), (0x2099, 47, 6),
    (0x209A, 47, 7), (0x209B, 48, 0), (0x209C, 28, 7), (0x209D, 48, 1), (0x209E, 48, 2), (0x209F, 48, 3),
    (0x20A0, 48, 4), (0x20A1, 48, 5), (0x20A2, 48, 6), (0x20A3, 48, 7), (0x20A5, 49, 2),
  ]
}
