/// Why a body is no packet (BEAM 4.6), and where.
package struct PacketRefusal: Error, Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The octets are not UTF-8.
    case notUTF8
    /// They are not one JSON object and nothing else (RFC 8259); U+FEFF before it is something else.
    case notAnObject
    /// An escape is half of a surrogate pair.
    case loneSurrogate
    case nestedTooDeep
    case keyTwice
    case memberMissing
    case unknownType
    /// A member is not of the kind that table 4.A names.
    case wrongKind
    case outsideLimits
    /// The numbers of a history are not consecutive, or go beyond its end (BEAM 4.8).
    case notConsecutive
  }

  package var reason: Reason
  /// Octets from the start of the body.
  package var offset: Int

  package init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}
