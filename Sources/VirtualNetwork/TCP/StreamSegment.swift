package import NetworkWire

/// A segment between two ends of a simulated connection.
///
/// Sequence numbers count from the initial one of their sender and never wrap: the SYN is 0, the first octet of data
/// is 1. The 32 bits of a header are made from them where a capture wants octets.
package struct StreamSegment: Hashable, Sendable {
  package var sequence: Int
  /// The next octet that its sender expects; meaningful with the flag `ack`.
  package var acknowledgement: Int
  package var flags: TCPSegment.Flags
  /// Octets that its sender takes beyond `acknowledgement`.
  package var window: Int
  package var payload: [UInt8] = []
  /// It was sent before.
  package var isRepeat = false

  /// Sequence numbers that it takes: a SYN and a FIN count as one each (RFC 9293, 3.4).
  var length: Int {
    payload.count + (flags.contains(.syn) ? 1 : 0) + (flags.contains(.fin) ? 1 : 0)
  }
}
