import CUnix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Asks the kernel's management interface what it knows of adapters; changes nothing.
///
/// Spec: BlueZ, `doc/mgmt-api.txt`, Read Controller Information.
final class ManagementChannel {
  struct Information: Hashable {
    var name: String
    var manufacturer: UInt16
    var version: UInt8
    var activities: [String]
  }

  private static let readInformation: UInt16 = 0x0004
  private static let commandComplete: UInt16 = 0x0001
  /// In milliseconds. The kernel answers immediately, but sends other messages too.
  private static let patience: CInt = 500
  private static let settings: [(bit: Int, word: String)] = [
    (1, "connectable"), (3, "discoverable"), (10, "advertising"),
  ]

  private let descriptor: CInt

  /// nil when there is no such channel.
  init?() {
    descriptor = cbluez_open_channel(CInt(CBLUEZ_NO_ADAPTER), CInt(CBLUEZ_CHANNEL_CONTROL))
    if descriptor < 0 { return nil }
  }

  deinit { Descriptor.shut(descriptor) }

  func information(of adapter: Int) -> Information? {
    let low = UInt8(truncatingIfNeeded: adapter)
    let high = UInt8(truncatingIfNeeded: adapter >> 8)
    let command: [UInt8] = [UInt8(Self.readInformation), 0, low, high, 0, 0]
    guard write(descriptor, command, command.count) == command.count else { return nil }
    var buffer = [UInt8](repeating: 0, count: 1_024)
    for _ in 0..<16 {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Self.patience) > 0 else { return nil }
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      if let answer = Self.information(in: buffer[..<count], of: adapter) { return answer }
    }
    return nil
  }

  /// A Command Complete for Read Controller Information of that adapter; nil for anything else.
  static func information(in octets: ArraySlice<UInt8>, of adapter: Int) -> Information? {
    let octets = Array(octets)
    func number(_ at: Int, _ length: Int) -> Int {
      octets[at..<at + length].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    // Header 6, opcode 2, status 1; then address 6, version 1, manufacturer 2, settings 4 and 4, class 3, name 249.
    guard octets.count >= 9 + 20 + 249, number(0, 2) == Int(commandComplete), number(2, 2) == adapter,
      number(6, 2) == Int(readInformation), octets[8] == 0
    else { return nil }
    let current = number(22, 4)
    let name = octets[29..<29 + 249].prefix { $0 != 0 }
    return Information(
      name: String(decoding: name, as: UTF8.self), manufacturer: UInt16(number(16, 2)), version: octets[15],
      activities: settings.filter { current >> $0.bit & 1 == 1 }.map(\.word))
  }
}
