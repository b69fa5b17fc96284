public import BluetoothWire
public import SimKernel

/// Puts the values of one app's protocol into words. It is made for one reading of captures, and is handed all values
/// of a link in their order.
public protocol PacketPrinter: AnyObject {
  /// Nil when the value is none of the protocol's.
  func packet(in value: PrintedValue) -> PrintedPacket?
  /// What the protocol calls a service or characteristic; nil when it is none of its own. It is asked once for each.
  func name(of uuid: BluetoothUUID) -> String?
  /// No more values follow on this link.
  func close(link: Int)
  /// What octets of a stream of a network complete; empty when they are a part of something, nil when they are none of
  /// the protocol's.
  func packets(in octets: PrintedOctets) -> [PrintedPacket]?
  /// No more octets follow on this stream, or some are missing in one direction: what comes next there may begin
  /// anywhere.
  func lose(stream: Int, from side: TrafficStream.Side?)
}

extension PacketPrinter {
  public func packets(in octets: PrintedOctets) -> [PrintedPacket]? { nil }
  public func lose(stream: Int, from side: TrafficStream.Side?) {}
}

/// Octets that one side of a stream sent, in their order.
public struct PrintedOctets {
  public var octets: ArraySlice<UInt8>
  /// The place of the first of them in what the side sent.
  public var offset: Int
  public var stream: TrafficStream
  public var side: TrafficStream.Side
  public var instant: SimInstant
}

/// A value that a write, a notification or an indication carries.
public struct PrintedValue {
  public var octets: [UInt8]
  /// The UUID of the characteristic; nil when the capture does not show it.
  public var uuid: BluetoothUUID?
  public var handle: ATT.Handle
  /// Index of the link.
  public var link: Int
  public var isFromCentral: Bool
  public var instant: SimInstant
}

/// What a printer says of a value.
public struct PrintedPacket {
  /// One line.
  public var text: String
  /// Fields, a line each, for a long look only.
  public var details: [String]
  /// What the packet is called that this value completes, without what the value adds; nil where nothing is shorter
  /// than `text`.
  public var name: String?
  /// The value carries a part of a packet and does not complete it.
  public var isPart: Bool

  public init(text: String, details: [String], name: String? = nil, isPart: Bool = false) {
    self.text = text
    self.details = details
    self.name = name
    self.isPart = isPart
  }
}
