package import SimKernel

/// What captures show over time: devices, records, whole packets between devices, and connections.
///
/// Memory grows with what is drawn, up to `Limits`.
package struct CapturePicture {
  /// What is drawn at most.
  package struct Limits: Sendable {
    /// Records: all, where there are no more; else the first half, and as many again around findings.
    package var records = 100_000
    /// Records of the same capture before and after one that a finding names.
    package var reach = 100
    /// Octets of words and packets that are kept; whatever comes after that is left out.
    package var octets = 128 << 20
    /// Octets of one record, and characters of its layers.
    package var octetsOfRecord = 512
    package var charactersOfRecord = 16_384
    /// What an app said: the longest packets are those that are compared.
    package var charactersOfMessage = 1 << 18
    /// Devices with a lane of their own; the last lane is that of all others.
    package var devices = 32
    /// Remarks: connections that open and close, comments in the file.
    package var remarks = 5_000
    package init() {}
  }

  /// Times come from files and may be anything; what is drawn is at most 73 years from the first packet.
  package static func bounded(_ instant: SimInstant) -> SimInstant {
    SimInstant(nanoseconds: min(max(instant.nanoseconds, -(1 << 61)), 1 << 61))
  }

  package struct Device: Sendable {
    /// What it calls itself, else its address.
    package var name: String
    package var role: String
    /// Its addresses, and the capture that was taken at it.
    package var about: [String]
    package var addresses: [String]
  }

  /// A record of a capture.
  package struct Record: Sendable {
    /// Where a record was taken: on the air, at an HCI, or neither.
    package enum Seam: Int, Sendable {
      case air, hci
    }

    package var place: PacketPlace
    package var instant: SimInstant
    package var duration: SimDuration
    /// Indices of devices; −1: nobody in particular.
    package var from: Int
    package var to: Int
    package var link: Int?
    package var seam: Seam
    /// Its CRC is wrong.
    package var isBroken: Bool
    package var rfChannel: Int?
    package var words: String
    package var tree: String
    /// The first of them.
    package var octets: [UInt8]
    package var octetCount: Int
    /// A data PDU on the air that carries nothing.
    package var isEmpty: Bool
  }

  /// Something whole that one device said to another: an app's packet, an ATT PDU, a frame of another channel.
  package struct Message: Sendable {
    package var from: Int
    package var to: Int
    /// When its first fragment was sent, and its last one was there.
    package var sentAt: SimInstant
    package var receivedAt: SimInstant
    package var label: String
    /// An app said it.
    package var isOfApp: Bool
    package var heading: String
    /// What the app said, where it can be read.
    package var body: String
    package var fragments: Int
    package var place: PacketPlace
  }

  package struct Connection: Sendable {
    package var link: Int
    package var central: Int
    package var peripheral: Int
    /// Another capture shows the same connection, and its messages are drawn from that one.
    package var isRepeat: Bool
  }

  /// Something that is said of an instant and is no packet.
  package struct Remark: Sendable {
    package var instant: SimInstant
    package var device: Int
    package var text: String
    /// The capturer, or whoever wrote the file, says so.
    package var isComment: Bool
    package var place: PacketPlace
  }

  package var devices: [Device] = []
  package var records: [Record] = []
  package var messages: [Message] = []
  package var connections: [Connection] = []
  package var remarks: [Remark] = []
  /// What is not drawn, and why, for people.
  package var omissions: [String] = []
}
