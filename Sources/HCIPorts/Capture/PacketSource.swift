import CUnix
import CaptureFormats

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Gives packets as they pass. Belongs to one thread.
protocol PacketSource: AnyObject {
  /// Readable when there is something to take, and when it is over.
  var descriptor: CInt { get }
  /// For how long nothing may come, in milliseconds, before a source that is being stopped counts as empty.
  var drainPatience: CInt { get }
  /// What the kernel holds back for us at most, in octets; nil where it has no such buffer.
  var bufferOctets: Int? { get }
  /// Packets that were lost because that buffer was full, since the start; nil where they are not counted. Wraps.
  var kernelDrops: UInt32? { get }
  /// What is to be said when it is over.
  var remark: String? { get }

  /// Takes some of what is there, without waiting. False when nothing will come any more.
  func collect(into records: inout [CaptureRecord]) throws(PortError) -> Bool
  func close()
}

extension PacketSource {
  var remark: String? { nil }
}

/// What sockets of the kernel's Bluetooth have in common, whichever source has opened them.
enum CaptureSocket {
  /// Makes the receive buffer as large as the kernel lets us: by force (CAP_NET_ADMIN), or up to net.core.rmem_max.
  /// - Returns: its size in octets.
  static func enlarge(_ descriptor: CInt, _ octets: Int) -> Int? {
    #if os(Linux)
      var wanted = CInt(clamping: octets)
      let length = socklen_t(MemoryLayout<CInt>.size)
      if setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, length) != 0 {
        _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &wanted, length)
      }
      var size: CInt = 0
      var got = length
      // The kernel doubles what it is told, for its own bookkeeping.
      return getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, &got) == 0 ? Int(size) / 2 : nil
    #else
      return nil
    #endif
  }

  static func drops(_ descriptor: CInt) -> UInt32? {
    var drops: UInt32 = 0
    return cbluez_drops(descriptor, &drops) == 0 ? drops : nil
  }
}
