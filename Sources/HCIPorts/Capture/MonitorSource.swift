import CUnix
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
  /// The link type of a message with libpcap's header, which is the same in all files: adapter and opcode, big-endian.
  private static let linkType: UInt32 = 254

  let descriptor: CInt
  let drainPatience: CInt = 0
  let bufferOctets: Int?
  private var buffer = [UInt8](repeating: 0, count: messageOctets)
  private var count = 0

  init(buffer wanted: Int) throws(PortError) {
    descriptor = cbluez_open_channel(CInt(CBLUEZ_NO_ADAPTER), CInt(CBLUEZ_CHANNEL_MONITOR))
    if descriptor < 0 { throw PortError.capturing(.monitor, code: -descriptor) }
    let code = cbluez_stamp(descriptor)
    if code < 0 {
      Descriptor.shut(descriptor)
      throw PortError.capturing(.monitor, code: -code)
    }
    bufferOctets = CaptureSocket.enlarge(descriptor, wanted)
  }

  var kernelDrops: UInt32? { CaptureSocket.drops(descriptor) }

  func collect(into records: inout [CaptureRecord]) throws(PortError) -> Bool {
    let drops = kernelDrops
    var message = cbluez_message()
    for _ in 0..<Self.batch {
      let result = cbluez_receive(descriptor, &buffer, buffer.count, &message)
      if result < 0 { throw PortError.captureEnded(.monitor, code: -result) }
      if result == 0 { return true }
      count += 1
      let header = [message.adapter >> 8, message.adapter & 0xFF, message.opcode >> 8, message.opcode & 0xFF]
      records.append(
        CaptureRecord(
          number: count, linkType: Self.linkType, nanoseconds: message.nanoseconds,
          originalLength: header.count + message.original_length, drops: drops,
          octets: header.map(UInt8.init(truncatingIfNeeded:)) + buffer[..<message.length]))
    }
    return true
  }

  func close() { Descriptor.shut(descriptor) }
}
