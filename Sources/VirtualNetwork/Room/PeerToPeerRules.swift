package import SimKernel

/// AWDL in a room (NET 4).
package struct PeerToPeerRules: Hashable, Sendable {
  /// The social channel of the 5 GHz band.
  package var upperChannel = WiFiChannel.social149
  package var rate = WiFiRate.ht(index: 7)
  /// Interfaces are off until somebody asks; otherwise they are always awake, and every search is a primed one
  /// (NET 4.12, 4.14).
  package var sleeps = true
  /// After what time the other end's sleeping interface sees the cluster, drawn evenly (NET 4.13).
  package var search: ClosedRange<SimDuration> = .milliseconds(2_000) ... .milliseconds(7_600)
  /// Sequences of 16 channels in place of those of NET 4.4; nil entries: off.
  package var idle: [WiFiChannel?]?
  package var active: [WiFiChannel?]?

  /// Channels that an interface may be on: the social ones, and those of its own sequences.
  package var channels: [WiFiChannel] {
    [.social6, upperChannel] + ((idle ?? []) + (active ?? [])).compactMap(\.self)
  }

  package init() {}
}
