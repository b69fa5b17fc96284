import AppSeam
import BluetoothWire
import Bystanders
import Expectations
import Judging
import SimKernel
import Testing
import VirtualProgram

@testable import Conformance

/// A program may hand over anything: it is refused with a reason, or a phone can be made of it.
@Suite("Damaged memories of phones")
struct MemoryDamageTests {
  private static func octets(_ memory: AppMemory) -> [UInt8] {
    var text = JSONText()
    text.beginObject()
    text.fields(of: memory)
    text.endObject()
    return text.octets
  }

  /// Nil: it is refused.
  private static func memory(_ octets: [UInt8]) -> AppMemory? {
    guard let tree = try? JSONTree(octets), let members = try? MessageMembers(tree) else { return nil }
    return try? members.memory(of: AppProtocol.bystander.app)
  }

  @Test("Every prefix is refused, and every flipped bit is, or a phone goes on with what it says", arguments: [0, 1])
  func damaged(device: Int) throws {
    let world = RestoredWorld([nil, nil], seed: 3)
    world.run(12)
    let sound = try required(world.memory(of: device))
    let octets = Self.octets(sound)
    expect(sound.links.count == 1 && Self.memory(octets) == sound)
    for count in 0..<octets.count { expect(Self.memory(Array(octets[..<count])) == nil) }
    var (refused, accepted) = (0, 0)
    for bit in 0..<8 * octets.count {
      var changed = octets
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let memory = Self.memory(changed) else {
        refused += 1
        continue
      }
      accepted += 1
      expect(memory.defect == nil)
      // Some of them, since a phone takes a while.
      if bit % 37 == 0 { Self.launch(memory, device) }
    }
    expect(refused > 1_000 && accepted > 100)
  }

  /// A restored phone is told of what it may have a link for.
  private static func launch(_ memory: AppMemory, _ device: Int) {
    var configuration = AppConfiguration(
      device: device, app: "", role: AppRole(rawValue: device == 0 ? "host" : "client"),
      dialect: DialectName(rawValue: ""), peerID: "me", displayName: "me", seed: 1,
      settings: AppSettings(NoSettings.empty))
    configuration.memory = memory
    configuration.isRestored = true
    let phone = RestoredWorld.phone(configuration)
    for input in [AppInput.launched, .disconnected(LinkID(0), reason: .connectionTimeout)] {
      _ = phone.handle(input, at: .zero)
    }
    expect(phone.problem == nil)
    phone.end()
  }

  @Test("Lists and numbers have limits")
  func limits() {
    var long = AppMemory()
    long.attempts = Array(repeating: "E3:9B:B0:26:94:01", count: AppMemory.entryLimit + 1)
    equal(long.defect, "attempts: more than 10000 entries")
    var far = AppMemory()
    far.nextNumber = .max
    equal(far.defect, "nextNumber: \(Int.max) is none")
    var old = AppMemory()
    old.version = 0
    equal(old.defect, "version: 0, where 1 is needed")
    equal(Self.memory(Self.octets(AppMemory())), AppMemory())
  }
}
