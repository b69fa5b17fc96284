import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// What a host says of itself: its buffers (Vol 4, Part E, 4.1.2, 7.3.38 … 7.3.40), and its start.
@Suite("A host's buffers and its start")
struct ControllerHostFlowTests {
  /// Two controllers with a link; the host of the second one has buffers.
  private static func bench(
    length: UInt16, count: UInt16
  ) throws -> (bench: ControllerBench, central: UInt16, peripheral: UInt16) {
    let bench = ControllerBench(2)
    equal(bench.command(1, 0x0C33, length.octets + [0] + count.octets + [0, 0]), 0)
    equal(bench.command(1, 0x0C31, [1]), 0)
    let (central, peripheral) = try bench.connect(0, to: 1)
    _ = bench.take(1)
    return (bench, central, peripheral)
  }

  private static func acl(_ handle: UInt16, _ octets: [UInt8]) -> [UInt8] {
    [0x02] + handle.octets + UInt16(octets.count).octets + octets
  }

  /// The data that the second host was given since it was last asked: boundary flag and octets of each packet.
  private static func data(_ bench: ControllerBench) -> [(boundary: UInt8, octets: [UInt8])] {
    bench.take(1).filter { $0[0] == 0x02 }.map { ($0[2] >> 4 & 3, Array($0[5...])) }
  }

  @Test("A host gets as many packets as it has buffers, none longer, the rest when it says so, and the link lives")
  func buffers() throws {
    let (bench, central, peripheral) = try Self.bench(length: 27, count: 2)
    let sent = (0..<3).map { number in (0..<100).map { UInt8(truncatingIfNeeded: number * 100 + $0) } }
    for octets in sent { bench.send(0, Self.acl(central, octets)) }
    bench.run(for: .seconds(10))
    var got = Self.data(bench)
    equal(got.count, 2)
    while got.count < 100 {
      expect(bench.send(1, [0x01, 0x35, 0x0C, 5, 1] + peripheral.octets + [1, 0])?.first != 0x04)
      bench.run(for: .milliseconds(300))
      let more = Self.data(bench)
      if more.isEmpty { break }
      equal(more.count, 1)
      got += more
    }
    expect(got.allSatisfy { $0.octets.count <= 27 })
    equal(got.flatMap(\.octets), sent.flatMap(\.self))
    equal(got.filter { $0.boundary == 2 }.count, 3)
    bench.run(for: .seconds(5))
    equal(bench.take(0).count { $0[0] == 0x04 && $0[1] == 0x13 }, 3)
    try equal(bench.returned(0, 0x1405, central.octets).count, 3)
  }

  @Test("While one end has no room the other direction goes on")
  func otherDirection() throws {
    let (bench, central, peripheral) = try Self.bench(length: 251, count: 1)
    for _ in 0..<3 { bench.send(0, Self.acl(central, [1, 0, 4, 0, 9])) }
    bench.run(for: .seconds(1))
    equal(Self.data(bench).count, 1)
    _ = bench.take(0)
    bench.send(1, Self.acl(peripheral, [1, 0, 4, 0, 7]))
    bench.run(for: .seconds(1))
    expect(bench.take(0).contains { $0[0] == 0x02 && $0.suffix(5) == [1, 0, 4, 0, 7] })
    expect(Self.data(bench).isEmpty)
  }

  @Test("A link that is gone has given its buffers back")
  func disconnection() throws {
    let (bench, central, _) = try Self.bench(length: 251, count: 1)
    for _ in 0..<3 { bench.send(0, Self.acl(central, [1, 0, 4, 0, 9])) }
    bench.run(for: .seconds(1))
    equal(Self.data(bench).count, 1)
    equal(bench.command(0, 0x0406, central.octets + [0x13]), 0)
    // LL_TERMINATE_IND waits after the data that nobody acknowledges: the supervision timeout ends the link.
    bench.run(for: .seconds(5))
    expect(Self.data(bench).isEmpty)
    _ = bench.take(0)
    let (again, _) = try bench.connect(0, to: 1)
    _ = bench.take(1)
    bench.send(0, Self.acl(again, [1, 0, 4, 0, 8]))
    bench.run(for: .seconds(1))
    equal(Self.data(bench).map(\.octets), [[1, 0, 4, 0, 8]])
  }

  @Test("What cannot be is refused; packets that are completed have no answer")
  func refusals() throws {
    let (bench, central, peripheral) = try Self.bench(length: 251, count: 4)
    equal(bench.command(1, 0x0C31, [0]), 0x0C)
    equal(bench.command(1, 0x0C33, [0, 0, 0, 1, 0, 0, 0]), 0x12)
    equal(bench.command(1, 0x0C33, [27, 0, 0, 0, 0, 0, 0]), 0x12)
    equal(bench.command(1, 0x0C35, [1] + peripheral.octets + [1, 0]), 0x12)
    equal(bench.command(1, 0x0C35, [2] + peripheral.octets + [1, 0]), 0x12)
    equal(bench.command(0, 0x0C35, [1] + central.octets + [1, 0]), 0x0C)
    bench.send(0, Self.acl(central, [1, 0, 4, 0, 9]))
    bench.run(for: .seconds(1))
    expect(bench.command(1, 0x0C35, [1] + peripheral.octets + [1, 0]) == nil)
    equal(bench.command(1, 0x0C03), 0)
    equal(bench.command(1, 0x0C31, [4]), 0x12)
    equal(bench.command(1, 0x0C35, [1] + peripheral.octets + [1, 0]), 0x0C)
  }

  /// What the controller module of Android's host sends before it uses anything (AOSP, system/gd/hci/controller.cc), as
  /// Bumble 0.0.236 writes it.
  private static let androidStart = [
    "01030c00", "016d0c020101", "01140c00", "01011000", "01021000", "01031000", "0104100100", "01051000",
    "01091000", "01560c0101",
  ]

  @Test("Android's host gets through its start; the name is that of the device, and the host may give another")
  func start() throws {
    let bench = ControllerBench(1)
    for text in Self.androidStart {
      let answer = try required(bench.send(0, [UInt8].hex(text)))
      expect(answer[1] == 0x0E && answer[6] == 0, "\(text)")
    }
    let name = try bench.returned(0, 0x0C14)
    expect(name.count == 248 && name.starts(with: "device-0\0".utf8))
    let other = Array("Room".utf8) + [UInt8](repeating: 0, count: 244)
    equal(bench.command(0, 0x0C13, other), 0)
    try equal(bench.returned(0, 0x0C14), other)
    equal(bench.command(0, 0x0C13, [0x52]), 0x12)
    try equal(bench.returned(0, 0x0C55), [1])
    equal(bench.command(0, 0x0C56, [2]), 0x12)
    try equal(bench.returned(0, 0x0C6C), [1, 0])
    equal(bench.command(0, 0x0C03), 0)
    try expect(bench.returned(0, 0x0C55) == [0] && bench.returned(0, 0x0C6C) == [0, 0])
    try equal(bench.returned(0, 0x0C14), name)
  }
}
