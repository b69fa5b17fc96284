import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Commands about links, with the errors of their clauses (Vol 4, Part E, 7.1.6, 7.3.94, 7.8.18 … 7.8.49).
@Suite("The controller's link commands")
struct ControllerLinkTests {
  @Test("Every command about a link answers Unknown Connection Identifier for a handle that is none")
  func unknownHandle() {
    let bench = ControllerBench(1)
    for (opcode, rest) in [
      (0x0406, [0x13]), (0x041D, []), (0x1405, []), (0x0C2D, [0]), (0x0C7B, []), (0x0C7C, [1, 0]),
      (0x2013, [24, 0, 24, 0, 0, 0, 200, 0, 0, 0, 0, 0]), (0x2015, []), (0x2016, []),
      (0x2020, [24, 0, 24, 0, 0, 0, 200, 0, 0, 0, 0, 0]), (0x2021, [0x3B]), (0x2022, [27, 0, 0x48, 1]),
      (0x2030, []), (0x2032, [0, 1, 1, 0, 0]), (0x2019, [UInt8](repeating: 0, count: 26)),
      (0x201A, [UInt8](repeating: 0, count: 16)), (0x201B, []),
    ] as [(UInt16, [UInt8])] {
      equal(bench.command(0, opcode, [0x40, 0x00] + rest), 0x02, "opcode \(opcode)")
    }
  }

  @Test("Parameters out of range are invalid, LE Coded is unsupported")
  func ranges() throws {
    let bench = ControllerBench(2)
    let handle = try bench.connect(0, to: 1).0.octets
    equal(bench.command(0, 0x0406, handle + [0x16]), 0x12)
    equal(bench.command(0, 0x2013, handle + [5, 0, 24, 0, 0, 0, 200, 0, 0, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2013, handle + [24, 0, 24, 0, 0, 0, 6, 0, 0, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2013, handle + [24, 0, 24, 0, 0, 0, 200, 0, 2, 0, 1, 0]), 0x12)
    equal(bench.command(0, 0x2022, handle + [26, 0, 0x48, 1]), 0x12)
    equal(bench.command(0, 0x2022, handle + [27, 0, 0x47, 1]), 0x12)
    for opcode: UInt16 in [0x2032, 0x2031] {
      let (head, tail) = opcode == 0x2032 ? (handle, [UInt8](repeating: 0, count: 2)) : ([], [])
      equal(bench.command(0, opcode, head + [0, 4, 1] + tail), 0x11)
      equal(bench.command(0, opcode, head + [0, 0, 1] + tail), 0x12)
      equal(bench.command(0, opcode, head + [3, 0, 0] + tail), 0)
    }
    equal(bench.command(0, 0x2014, [0, 0, 0, 0, 0]), 0x12)
    equal(bench.command(0, 0x2014, [0, 0, 0, 0, 0x20]), 0x12)
    equal(bench.command(0, 0x2024, [26, 0, 0x48, 1]), 0x12)
    equal(bench.command(0, 0x0C2D, handle + [2]), 0x12)
    equal(bench.command(0, 0x0C7C, handle + [0, 0]), 0x12)
    equal(bench.command(0, 0x0C7C, handle + [2, 0]), 0x12)
    equal(bench.command(0, 0x0C7C, handle + [0x88, 0x13]), 0)
    try equal(bench.returned(0, 0x0C7B, handle), handle + [0x88, 0x13])
    // Nobody has asked for parameters.
    equal(bench.command(0, 0x2020, handle + [24, 0, 24, 0, 0, 0, 200, 0, 0, 0, 0, 0]), 0x0C)
    equal(bench.command(0, 0x2021, handle + [0x3B]), 0x0C)
  }

  @Test("A host that masks the request for parameters has its controller refuse: Unsupported Remote Feature")
  func maskedParameterRequest() throws {
    let bench = ControllerBench(2)
    let (_, peripheral) = try bench.connect(0, to: 1)
    equal(bench.command(0, 0x2001, [0x1F, 0, 0, 0, 0, 0, 0, 0]), 0)
    _ = bench.take(1)
    equal(bench.command(1, 0x2013, peripheral.octets + [40, 0, 40, 0, 0, 0, 200, 0, 0, 0, 0, 0]), 0)
    let complete = try required(bench.event(1, le: 0x03))
    equal(complete[4], 0x1A)
  }

  @Test("A preferred PHY decides what is agreed to when the peer asks")
  func defaultPHY() throws {
    let bench = ControllerBench(2)
    equal(bench.command(1, 0x2031, [0, 1, 1]), 0)
    let (central, peripheral) = try bench.connect(0, to: 1)
    equal(bench.command(0, 0x2032, central.octets + [0, 2, 2, 0, 0]), 0)
    expect(bench.event(0, le: 0x0C) != nil)
    try equal(bench.returned(0, 0x2030, central.octets), central.octets + [1, 1])
    equal(bench.command(1, 0x2031, [3, 0, 0]), 0)
    _ = bench.take(0)
    equal(bench.command(0, 0x2032, central.octets + [0, 2, 2, 0, 0]), 0)
    let update = try required(bench.event(0, le: 0x0C))
    equal(Array(update[4...]), [0] + central.octets + [2, 2])
    try equal(bench.returned(1, 0x2030, peripheral.octets), peripheral.octets + [2, 2])
  }

  @Test("What a host suggests for the length of data is used on new links, as far as the controller can")
  func suggestedLength() throws {
    let bench = ControllerBench(2) { configuration, index in
      if index == 0 { configuration.maximumDataLength = 100 }
    }
    equal(bench.command(0, 0x2024, [251, 0, 0x48, 8]), 0)
    try equal(bench.returned(0, 0x2023), [251, 0, 0x48, 8])
    let (central, _) = try bench.connect(0, to: 1)
    let change = try required(bench.event(0, le: 0x07))
    equal(Array(change[4...8]), central.octets + [100, 0, change[8]])
  }

  @Test("Data of no octets come back as completed at once")
  func emptyData() throws {
    let bench = ControllerBench(2)
    let (central, _) = try bench.connect(0, to: 1)
    _ = bench.take(0)
    equal(bench.send(0, [0x02] + central.octets + [0, 0]), [0x04, 0x13, 5, 1] + central.octets + [1, 0])
  }
}
