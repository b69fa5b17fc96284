import AppSeam
import BluetoothWire

/// What captures show of one device: what it advertised, its attributes, and what it said when.
///
/// Attributes have the handles of the capture; delays are nanoseconds.
struct Recording: Hashable, Sendable {
  /// As people name the device: its address, or the link that shows it.
  var peer: String
  /// Nil: the capture does not show it, or it is one that changes.
  var address: BluetoothAddress?
  /// The GAP Device Name, or the one that it advertised.
  var name: String?
  var advertising = RecordedAdvertising()
  /// In the order of their handles, without Generic Access and Generic Attribute, which each phone has itself.
  var services: [LocalService] = []
  /// Server Rx MTU of the newest exchange; nil: there was none.
  var serverMTU: Int?
  /// Client Rx MTU of the same.
  var clientMTU: Int?
  /// What reads were answered, by handle, in their order.
  var reads: [ATT.Handle: [Answer]] = [:]
  /// What came of writes, by handle and value, in their order.
  var writes: [Write: [Reaction]] = [:]
  /// What came after subscriptions, by the handle of the value, in their order.
  var streams: [ATT.Handle: [[Said]]] = [:]
  /// What its clients asked, link by link.
  var visits: [RecordedVisit] = []
  /// What is not played, and what a person should know, a line each.
  var notes: [String] = []

  /// The answer to one read.
  struct Answer: Hashable, Sendable {
    /// Empty with an error.
    var octets: [UInt8]
    /// An ATT error code; nil: there was none.
    var error: UInt8?
    /// From the request on.
    var delay: Int64
  }

  /// A value that a client wrote.
  struct Write: Hashable, Sendable {
    var handle: ATT.Handle
    var octets: [UInt8]
  }

  /// What came of one write.
  struct Reaction: Hashable, Sendable {
    /// To a write with response.
    var error: UInt8?
    /// From the request to the response.
    var delay: Int64 = 0
    /// What the device said by itself before the next write.
    var said: [Said] = []
  }

  /// Something that the device did by itself.
  struct Said: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// A notification or indication.
      case value(ATT.Handle, [UInt8])
      /// It ended the link.
      case end
    }

    var kind: Kind
    /// From the write or the subscription on.
    var delay: Int64
  }
}

/// What the clients of a recorded device asked on one link, without discovery.
struct RecordedVisit: Hashable, Sendable {
  struct Request: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case read
      case write([UInt8])
      case writeCommand([UInt8])
      /// Switches notifications or indications on or off.
      case subscribe(Bool)
    }

    var kind: Kind
    var characteristic: RecordedPlace
    /// Since the request before, or the beginning of the link.
    var pause: Int64
  }

  var requests: [Request] = []
  /// From the last request to the end of the link; nil: the capture ended before it.
  var rest: Int64?
}

/// A characteristic as any server may be asked for it: handles differ from phone to phone.
struct RecordedPlace: Hashable, Sendable {
  var uuid: BluetoothUUID
  /// How many of this type come before it.
  var number: Int
}
