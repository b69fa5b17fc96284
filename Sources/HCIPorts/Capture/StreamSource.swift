import CaptureFormats

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A capture that another program writes, of any format, read as it comes.
final class StreamSource: PacketSource {
  private static let pieceOctets = 1 << 16

  let descriptor: CInt
  /// A program that ends with us, by the same Ctrl-C, has this long to write what it has.
  let drainPatience: CInt = 200
  let bufferOctets: Int? = nil
  let kernelDrops: UInt32? = nil
  private(set) var remark: String?
  private var reader = CaptureReader()

  /// - Parameter descriptor: stays open when this is closed.
  init(_ descriptor: CInt) throws(PortError) {
    self.descriptor = descriptor
    if isatty(descriptor) == 1 {
      throw PortError("-: standard input is a terminal; pipe a capture into it")
    }
  }

  func collect(into records: inout [CaptureRecord]) throws(PortError) -> Bool {
    var count = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceOctets) { buffer, filled in
      repeat { count = read(descriptor, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    if count < 0 { throw PortError("-: cannot be read: \(PortError.reason(code: errno))") }
    reader.append(piece)
    do {
      while let record = try reader.next() { records.append(record) }
    } catch {
      throw PortError("-: standard input is no capture, or damaged: \(error)")
    }
    if count > 0 { return true }
    if case .truncated(let offset) = reader.ending {
      remark = "standard input ends in the middle of a record, at octet \(offset)"
    }
    return false
  }

  func close() {}
}
