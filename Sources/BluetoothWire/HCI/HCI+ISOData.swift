extension HCI {
  /// `HCI ISO Data packet`: an SDU of an isochronous stream, or a fragment of one.
  ///
  /// The lengths of SDUs and fragments are not compared with each other: the ends of a stream judge that.
  /// Spec: Core v5.4, Vol 4, Part E, 5.4.5.
  public struct ISOData: Hashable, Sendable {
    /// Which part of an SDU a packet has (`PB_Flag`).
    public enum Boundary: UInt8, Hashable, Sendable {
      /// The first fragment.
      case first = 0b00
      /// A fragment between the first and the last.
      case continuing = 0b01
      /// A whole SDU.
      case complete = 0b10
      /// The last fragment.
      case last = 0b11

      /// Whether an SDU begins with the packet, so that it has a head.
      public var beginsSDU: Bool { self == .first || self == .complete }
    }

    /// What a first or a complete packet says of its SDU.
    public struct Head: Hashable, Sendable {
      /// Microseconds of the sender's clock (`Time_Stamp`); nil: the packet has none.
      public var timeStamp: UInt32?
      /// `Packet_Sequence_Number`, one more for each SDU.
      public var sequenceNumber: UInt16
      /// Octets of the whole SDU, 12 bits (`ISO_SDU_Length`).
      public var sduLength: UInt16
      /// `Packet_Status_Flag`, 2 bits: 0 valid, 1 possibly invalid, 2 lost or missing in part. Reserved in what a host
      /// sends.
      public var status: UInt8

      public init(timeStamp: UInt32? = nil, sequenceNumber: UInt16, sduLength: UInt16, status: UInt8 = 0) {
        self.timeStamp = timeStamp
        self.sequenceNumber = sequenceNumber
        self.sduLength = sduLength
        self.status = status
      }
    }

    /// That of a connected stream or of one of a broadcast group, 12 bits.
    public var handle: ConnectionHandle
    public var boundary: Boundary
    /// Nil in continuing and last packets.
    public var head: Head?
    /// The SDU, or this fragment of it.
    public var octets: [UInt8]

    public init(handle: ConnectionHandle, boundary: Boundary, head: Head? = nil, octets: [UInt8]) {
      self.handle = handle
      self.boundary = boundary
      self.head = head
      self.octets = octets
    }
  }
}
