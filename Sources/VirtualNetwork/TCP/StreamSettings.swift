package import SimKernel

/// What a system does with TCP where standards leave a choice; the defaults are those of phones where these are known.
package struct StreamSettings: Hashable, Sendable {
  /// Octets of data in a segment: 1 440 with IPv6 over Ethernet (RFC 8200, 5; RFC 9293, 3.7.1).
  package var maximumSegment = 1_440
  /// Octets that an app may hand over before any of them is acknowledged.
  package var sendBuffer = 131_072
  /// Octets that have arrived and were not read.
  package var receiveBuffer = 131_072
  /// Segments that may be sent before the first acknowledgement (RFC 6928).
  package var initialWindow = 10
  package var initialTimeout = SimDuration.seconds(1)
  /// RFC 6298, 2.4 has 1 s; Linux and Darwin have less.
  package var minimumTimeout = SimDuration.milliseconds(200)
  package var maximumTimeout = SimDuration.seconds(60)
  /// Times that a segment is sent again before the connection fails; a SYN has its own.
  package var maximumRepeats = 8
  package var maximumSYNRepeats = 7
  /// Silence after which the other end is asked whether it is there; nil: never (RFC 9293, 3.8.4).
  package var keepAlive: KeepAlive?

  package init() {}

  package struct KeepAlive: Hashable, Sendable {
    package var idle: SimDuration
    package var interval: SimDuration
    /// Questions without an answer before the connection fails.
    package var count: Int

    package init(idle: SimDuration, interval: SimDuration, count: Int) {
      self.idle = idle
      self.interval = interval
      self.count = count
    }
  }
}
