/// What a stream carries between its borders.
package struct Frame: Hashable, Sendable {
  /// How frames begin.
  package enum Format: Hashable, Sendable {
    /// The body's length as UInt32, big-endian (BEAM 3.1).
    case length
    /// A kind of one octet before the length: the frames that stand for `mpc` (BEAM 6).
    case kindAndLength

    var headerOctets: Int { self == .length ? 4 : 5 }
  }

  /// What frames of `mpc` are for; those of `network` are all messages.
  package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// Has a packet; the other kinds have no octet.
    case message = 1
    /// A guest asks.
    case invitation = 2
    case accepted = 3
    case declined = 4
    /// Both are connected, some time after `accepted`.
    case connected = 5
  }

  package var kind: Kind
  package var body: [UInt8]

  package init(_ kind: Kind = .message, body: [UInt8] = []) {
    self.kind = kind
    self.body = body
  }

  /// The octets on the stream; the body has fewer than 2^32.
  package func encoded(_ format: Format) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(format.headerOctets + body.count)
    if format == .kindAndLength { octets.append(kind.rawValue) }
    for shift in [24, 16, 8, 0] { octets.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
    octets.append(contentsOf: body)
    return octets
  }
}

/// What is wrong with a frame before its body is there.
package enum FrameRefusal: Error, Hashable, Sendable {
  /// A message of no octets, or another kind of frame with some.
  case empty
  case tooLong(Int)
  case unknownKind(UInt8)

  /// For people.
  package var words: String {
    switch self {
    case .empty: "a length of 0"
    case .tooLong(let length): "a length of \(length)"
    case .unknownKind(let kind): "the unknown kind \(kind)"
    }
  }
}
