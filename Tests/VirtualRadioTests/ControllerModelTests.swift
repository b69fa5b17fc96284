import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import VirtualRadio

@Suite("Real controllers, as their hosts read them")
struct ControllerModelTests {
  /// One controller of a model, alone in a room.
  private final class Bench {
    let world: RadioWorld
    init(_ model: ControllerModel?) {
      var phone = PhonePreset.ideal
      if let model { phone.take(model) }
      var configuration = RadioConfiguration(
        name: "a", address: BluetoothAddress(kind: .publicDevice, bits: 0x0011_2233_4455),
        position: Position(x: 0, y: 0))
      configuration.model = phone.radio.controller
      configuration.aclBuffers = phone.buffers.aclCount
      configuration.aclBufferLength = phone.buffers.aclOctets
      configuration.maximumDataLength = Int(phone.radio.maximumDataOctets)
      configuration.supports2M = phone.radio.supports2M
      configuration.supportsCoded = phone.radio.supportsCoded
      configuration.supportsSubrating = true
      configuration.supportsSyncTransfer = true
      configuration.supportsPeriodicResponses = true
      configuration.supportsClockUpdates = true
      configuration.supportsPowerControl = true
      configuration.supportsStreams = true
      configuration.supportsChannelReports = true
      configuration.minimumUsedChannels = 2
      configuration.supportsChannelSelection2 = phone.radio.supportsChannelSelection2
      world = RadioWorld(timeline: Timeline(), environment: .ideal, seed: 1, radios: [configuration])
    }

    /// The octets of the event that answers a command.
    func answer(_ command: [UInt8]) -> [UInt8] {
      world.controllers[0].submit(h4: command)
      return world.controllers[0].popForHost()?.h4Octets ?? []
    }

    /// The return parameters of a command of no parameters, status included.
    func read(_ opcode: UInt16) -> [UInt8] {
      Array(answer([0x01, UInt8(opcode & 0xFF), UInt8(opcode >> 8), 0]).dropFirst(6))
    }
  }

  @Test("RTL8761BU answers with the octets of the capture in which it was seen")
  func realtek() {
    let bench = Bench(.rtl8761bu)
    equal(bench.read(0x1001), [0, 0x0A, 0xC6, 0xDF, 0x0A, 0x5D, 0x00, 0x22, 0xD9])
    equal(bench.read(0x2002), [0, 0x1B, 0x00, 0x08])
    equal(bench.read(0x200F), [0, 0x20])
    equal(bench.read(0x202F), [0, 0xFB, 0x00, 0x90, 0x42, 0xFB, 0x00, 0x90, 0x42])
    equal(bench.read(0x203B), [0, 0x04])
  }

  @Test("BCM43430A1 has no data length extension and no extended advertising: such commands are unknown")
  func broadcom() {
    let bench = Bench(.bcm43430a1)
    equal(bench.read(0x1001), [0, 0x08, 0x12, 0x04, 0x08, 0x0F, 0x00, 0x09, 0x22])
    equal(bench.read(0x2002), [0, 0x1B, 0x00, 0x0F])
    equal(bench.read(0x2003), [0, 0x1F, 0, 0, 0, 0, 0, 0, 0])
    equal(bench.read(0x200F), [0, 0x80])
    // Command Status of LE Read Number of Supported Advertising Sets: Unknown HCI Command.
    equal(bench.answer([0x01, 0x3B, 0x20, 0x00]), [0x04, 0x0F, 0x04, 0x01, 0x01, 0x3B, 0x20])
    equal(Bench(nil).answer([0x01, 0x3B, 0x20, 0x00]), [0x04, 0x0E, 0x05, 0x01, 0x3B, 0x20, 0x00, 0x04])
  }

  @Test("Of the CSR dongle a host reads no buffers of LE, and has to ask for those that it shares")
  func csr() {
    let bench = Bench(.csrRCK)
    equal(bench.read(0x2002), [0, 0, 0, 0])
    equal(bench.read(0x1005).prefix(3), [0, 0x36, 0x01])
    equal(bench.read(0x1005)[4...5], [0x0A, 0x00])
  }

  @Test("The lists of a BL654 hold four")
  func lists() {
    let bench = Bench(.lairdBL654)
    equal(bench.read(0x202A), [0, 4])
    equal(bench.read(0x203A), [0, 0x00, 0x01])
    for number in UInt8(1)...5 {
      let answer = bench.answer([0x01, 0x11, 0x20, 7, 0, number, 0, 0, 0, 0, 0])
      equal(answer.last, number < 5 ? 0 : 0x07)
    }
  }

  @Test("Every model says what ours can keep, and no more", arguments: ControllerModel.all)
  func honest(model: ControllerModel) {
    let bench = Bench(model)
    let said = bench.read(0x1002).dropFirst()
    for (place, octet) in said.enumerated() {
      equal(octet & ~model.commands[place], 0)
      equal(octet & ~CommandTable.supportedCommands(.max)[place], 0)
    }
    let features = bench.read(0x2003).dropFirst().reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    equal(features & ~model.features, 0)
    equal(model.commands.count, 64)
    expect(ControllerModel.named(model.name) == model)
    // A command is unknown exactly where its bit is missing, or that of its feature.
    for entry in CommandTable.entries where entry.octet != nil {
      let isThere = model.commands[entry.octet!] >> entry.bit & 1 == 1 && entry.belongs(to: model.features)
      equal(bench.world.controllers[0].knows(entry), isThere)
    }
  }

  @Test("A peer is told the version of the model")
  func peers() {
    let bench = Bench(.rtl8761bu)
    equal(bench.world.controllers[0].linkVersion.subversion, 0xD922)
  }
}
