package import SimKernel

/// Times and limits of DNS-SD over Multicast DNS (Docs/virtual-network-laws.md, NET 7).
package struct NameSettings: Hashable, Sendable {
  /// Before the first probe (RFC 6762, 8.1).
  package var probeWait: ClosedRange<SimDuration> = .zero ... .milliseconds(250)
  package var probes = 3
  package var probeInterval = SimDuration.milliseconds(250)
  /// After a simultaneous probe that another device has won (RFC 6762, 8.2).
  package var lostProbeWait = SimDuration.seconds(1)
  /// Unsolicited responses for a name that was won, and the time between them (RFC 6762, 8.3).
  package var announcements = 2
  package var announcementInterval = SimDuration.seconds(1)
  /// Conflicts in `conflictTime` after which each further try waits (RFC 6762, 8.1).
  package var conflictLimit = 15
  package var conflictTime = SimDuration.seconds(10)
  package var conflictWait = SimDuration.seconds(5)
  /// Before an answer that several may give, and before the first query of a browser (RFC 6762, 5.2, 6).
  package var sharedAnswerWait: ClosedRange<SimDuration> = .milliseconds(20) ... .milliseconds(120)
  package var queryWait: ClosedRange<SimDuration> = .milliseconds(20) ... .milliseconds(120)
  /// Between the first two queries of a browser; doubled from one to the next.
  package var queryInterval = SimDuration.seconds(1)
  package var longestQueryInterval = SimDuration.seconds(3_600)
  /// The same record is not sent again within this time, or, against a probe, within the shorter one (RFC 6762, 6).
  package var repeatTime = SimDuration.seconds(1)
  package var defenceTime = SimDuration.milliseconds(250)
  /// Lives of records with a host name, and of all others, in seconds (RFC 6762, 10).
  package var hostTimeToLive: UInt32 = 120
  package var timeToLive: UInt32 = 4_500
  /// A record that claims to live longer is not remembered longer, seconds.
  package var longestTimeToLive: UInt32 = 604_800
  /// Between a goodbye and the end of the record (RFC 6762, 10.1).
  package var goodbyeTime = SimDuration.seconds(1)
  /// Octets of one message (NET 7.1).
  package var longestMessage = 1_452
  /// Instances of one type that are remembered; more are not taken.
  package var instanceLimit = 256

  package init() {}
}
