import CBlueZ
import CaptureFormats

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The kernel's HCI monitor channel, without a library in between.
///
/// Times are the kernel's, in nanoseconds. It does not tell losses with the messages, but counts them by socket.
final class MonitorSource: PacketSource {
  /// Messages for one `take`, so that counters and `stop` are looked at now and then.
  private static let batch = 512
  /// More than the kernel puts into one message.
  private static let messageOctets = 1 << 17

  let descriptor: CInt
  let drainPatience: CInt = 0
  let bufferOctets: Int?
  private var buffer = [UInt8](repeating: 0, count: messageOctets)
  private var count = 0

  init() throws(PortError) {
    descriptor = cbluez_open_channel(CInt(CBLUEZ_NO_ADAPTER), CInt(CBLUEZ_CHANNEL_MONITOR))
    if descriptor < 0 { throw PortError.capturing(.monitor, code: -descriptor) }
    let code = cbluez_stamp(descriptor)
    if code < 0 {
      Descriptor.shut(descriptor)
      throw PortError.capturing(.monitor, code: -code)
    }
    bufferOctets = CaptureSocket.enlarge(descriptor)
  }

  var kernelDrops: UInt32? { CaptureSocket.drops(descriptor) }

  func take(into records: inout [CaptureRecord]) throws(PortError) -> Bool {
    let drops = kernelDrops
    var message = cbluez_message()
    for _ in 0..<Self.batch {
      let result = cbluez_receive(descriptor, &buffer, buffer.count, &message)
      if result < 0 { throw PortError.captureEnded(.monitor, code: -result) }
      if result == 0 { return true }
      count += 1
      records.append(
        LinuxMonitor.record(
          number: count, opcode: message.opcode, adapter: message.adapter, octets: buffer[..<message.length],
          originalLength: message.original_length, nanoseconds: message.nanoseconds, drops: drops))
    }
    return true
  }

  func close() { Descriptor.shut(descriptor) }
}

/// What the opcodes of Linux's monitor are.
///
/// Spec: BlueZ, `doc/btsnoop-protocol.txt`.
enum LinuxMonitor {
  /// Indicator and direction of an opcode that is a packet.
  private static func packet(_ opcode: UInt16) -> (indicator: UInt8, isToHost: Bool)? {
    switch opcode {
    case 2: (1, false)
    case 3: (4, true)
    case 4: (2, false)
    case 5: (2, true)
    case 6: (3, false)
    case 7: (3, true)
    case 18: (5, false)
    case 19: (5, true)
    default: nil
    }
  }

  /// A message as a record; its octets are copied.
  static func record(
    number: Int, opcode: UInt16, adapter: UInt16, octets: ArraySlice<UInt8>, originalLength: Int, nanoseconds: Int64,
    drops: UInt32?
  ) -> CaptureRecord {
    let body: CaptureBody =
      packet(opcode).map { .hci(adapter: adapter, indicator: $0.indicator, isToHost: $0.isToHost) }
      ?? .monitor(adapter: adapter, opcode: opcode)
    return CaptureRecord(
      number: number, link: .linuxMonitor, nanoseconds: nanoseconds, originalLength: originalLength, drops: drops,
      body: body, octets: Array(octets)[...])
  }
}
