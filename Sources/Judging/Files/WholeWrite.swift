import Foundation

/// Writes all of some octets to a descriptor, however few the system takes at once.
package enum WholeWrite {
  /// False, with `errno`, when the system refuses what is left: nobody reads any more, or the disk is full.
  package static func write(_ octets: [UInt8], to descriptor: Int32) -> Bool {
    var rest = octets[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
