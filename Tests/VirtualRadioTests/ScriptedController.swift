import BluetoothWire
import Expectations
import SimKernel
import VirtualRadio

/// A controller in octets: what it answers to each packet is a table, and the test says the rest by hand.
final class ScriptedController: HCIDoor {
  /// Packet → answers; both hexadecimal H4 packets. What is missing gets Command Complete with success.
  var answers: [String: [String]]
  /// Packets without an entry are noted here when the table is meant to be whole.
  private(set) var unknown: [String] = []
  /// What the stack has sent.
  var sent: [String] = []
  /// Commands that get no answer, by opcode.
  var silent: [HCI.Opcode] = []
  let isWhole: Bool
  private var outbox: [[UInt8]] = []
  private(set) var host: HostStack!
  private(set) var now = SimInstant.zero

  init(
    _ answers: [String: [String]] = [:], isWhole: Bool = false, address: UInt64 = 0xC000_0000_0001,
    configure: (inout HostConfiguration) -> Void = { _ in }
  ) {
    self.answers = answers
    self.isWhole = isWhole
    var configuration = HostConfiguration(
      address: BluetoothAddress(kind: .random, bits: address), deviceName: "scripted")
    configure(&configuration)
    host = HostStack(door: self, configuration: configuration)
  }

  func submit(_ command: HCI.Command) {
    if silent.contains(command.opcode) { return sent.append(String(hexadecimal: command.h4Octets)) }
    answer(command.h4Octets, command.opcode)
  }

  func submit(_ data: HCI.ACLData) { answer(data.h4Octets, nil) }
  func submit(_ data: HCI.ISOData) { answer(data.h4Octets, nil) }

  private func answer(_ octets: [UInt8], _ opcode: HCI.Opcode?) {
    let text = String(hexadecimal: octets)
    sent.append(text)
    if let known = answers[text] {
      outbox += known.map { [UInt8].hex($0) }
    } else if isWhole {
      unknown.append(text)
    } else if let opcode {
      // LE Read Buffer Size: four buffers of 27 octets.
      let size: [UInt8] = opcode == .leReadBufferSize ? [27, 0, 4] : []
      outbox.append(
        [4, 0x0E, UInt8(4 + size.count), 1, UInt8(opcode.rawValue & 0xFF), UInt8(opcode.rawValue >> 8), 0] + size)
    }
  }

  /// Hands packets up and carries answers until nobody has one; answers what the stack told.
  @discardableResult
  func give(_ packets: String...) throws -> [HostEvent] {
    outbox += packets.map { [UInt8].hex($0) }
    var events: [HostEvent] = []
    while true {
      while let event = host.popEvent() { events.append(event) }
      if outbox.isEmpty { return events }
      let packet = outbox.removeFirst()
      for message in try HCI.ToHost.messages(h4: packet) {
        host.receive(message, commandAllowance: HCI.commandAllowance(h4: packet), at: now)
      }
    }
  }

  func start() throws -> [HostEvent] {
    host.start(at: now)
    return try give()
  }

  /// Lets time pass, stopping at every deadline.
  func wait(_ span: SimDuration) throws -> [HostEvent] {
    let end = now + span
    var events: [HostEvent] = []
    while let due = host.nextDeadline, due <= end {
      now = max(now, due)
      host.advance(to: now)
      events += try give()
    }
    now = end
    host.advance(to: now)
    return try events + give()
  }

  func takeSent() -> [String] {
    defer { sent = [] }
    return sent
  }
}
