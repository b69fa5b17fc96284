/// What a host sends (BEAM 4, table 4.A). Values of these types are within the limits of the table where they were
/// decoded; whoever makes one keeps them.
package enum BeamPacket: Hashable, Sendable {
  case fullHistory(History)
  case liveChunk(LiveChunk)
  case alert(BeamAlert)

  /// The value of the member `type`.
  package enum Kind: String, Hashable, Sendable, CaseIterable { case fullHistory, liveChunk, alert }

  package var kind: Kind {
    switch self {
    case .fullHistory: .fullHistory
    case .liveChunk: .liveChunk
    case .alert: .alert
    }
  }

  /// A final by its number.
  package struct Chunk: Hashable, Sendable {
    /// 1 … `BeamLimits.sequence`.
    package var sequence: Int
    /// 1 … `BeamLimits.text` octets.
    package var text: String

    package init(sequence: Int, text: String) {
      self.sequence = sequence
      self.text = text
    }
  }

  /// A page of the finals that there were when a gate opened.
  package struct History: Hashable, Sendable {
    /// Consecutive, at or below `upToSequence`; none only where that is 0 (BEAM 4.8).
    package var chunks: [Chunk]
    package var upToSequence: Int

    package init(chunks: [Chunk], upToSequence: Int) {
      self.chunks = chunks
      self.upToSequence = upToSequence
    }
  }

  package struct LiveChunk: Hashable, Sendable {
    package var isFinal: Bool
    /// Milliseconds since 1970 by the host's clock; nil: it did not say.
    package var sentMilliseconds: Int64?
    package var sequence: Int
    package var text: String

    package init(isFinal: Bool, sentMilliseconds: Int64? = nil, sequence: Int, text: String) {
      self.isFinal = isFinal
      self.sentMilliseconds = sentMilliseconds
      self.sequence = sequence
      self.text = text
    }
  }
}

/// What a host tells its guests beside the text.
package enum BeamAlert: String, Hashable, Sendable, CaseIterable {
  case hostDisconnected, batteryLow, sessionResumed
}

/// The limits of table 4.A.
package enum BeamLimits {
  /// Octets of a body (BEAM 3.3).
  package static let body = 1_048_576
  /// Octets of UTF-8 of a text (BEAM 4.7).
  package static let text = 8_192
  /// The greatest integer that every reader of JSON has exactly: 2^53 − 1.
  package static let sequence = 9_007_199_254_740_991
  /// The greatest `sentTimestamp`, in milliseconds.
  package static let sentMilliseconds: Int64 = 9_007_199_254_740_000
  /// How deep objects and lists may nest, the packet's own object counted (BEAM 4.6).
  package static let nesting = 16
}
