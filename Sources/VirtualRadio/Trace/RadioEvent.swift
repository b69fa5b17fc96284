public import BluetoothWire
public import SimKernel

/// One PDU as it was on the air.
public struct AirPDU: Hashable, Sendable {
  public enum Fate: UInt8, Hashable, Sendable {
    /// Received whole by its addressee (for advertising: by at least one listener).
    case received
    /// Its addressee was listening, and the CRC failed (noise, burst or collision).
    case corrupted
    /// No addressee was listening.
    case unheard
  }

  public var start: SimInstant
  public var duration: SimDuration
  /// Physical channel: centre frequency 2402 + 2 k MHz, k in 0 … 39 (Vol 6, Part A, 2).
  public var rfChannel: UInt8
  public var phy: LL.AirPHY
  public var accessAddress: UInt32
  /// Header and payload, without CRC.
  public var pdu: [UInt8]
  /// The CRC initialisation value of the channel or connection, 24 bits.
  public var crcInit: UInt32
  /// Dense index of the sending device.
  public var transmitter: Int
  /// Dense index of the addressee, nil for advertising.
  public var receiver: Int?
  /// At the addressee, or −128 when there is none.
  public var rssi: Int8
  public var fate: Fate
  /// Nil for what was received, and for advertising to anybody.
  public var loss: PDULoss?
  /// What its addressee needs, in dBm, or −128 when there is none.
  package var sensitivity = Int8.min
  /// Which PDU of the secondary advertising channels it is, of those with one PDU type; nil: none.
  package var auxiliary: LL.ExtendedPDU.Kind?
  /// Who listened to advertising to anybody.
  package var listeners: [Listener] = []

  /// A device that was tuned to an advertising PDU while nothing else kept it busy.
  package struct Listener: Hashable, Sendable {
    package var device: Int
    /// Nil: it has received it.
    package var loss: PDULoss?
    /// What came, without fading, and what the device needs, in dBm.
    package var rssi: Int8
    package var sensitivity: Int8
    /// How far away it is, in centimetres; 0: nobody has asked.
    package var distance: Int

    package init(_ device: Int, _ loss: PDULoss?, rssi: Int8, sensitivity: Int8, distance: Int = 0) {
      (self.device, self.loss, self.rssi, self.sensitivity) = (device, loss, rssi, sensitivity)
      self.distance = distance
    }
  }

  public init(
    start: SimInstant, duration: SimDuration, rfChannel: UInt8, phy: LL.AirPHY, accessAddress: UInt32, pdu: [UInt8],
    crcInit: UInt32, transmitter: Int, receiver: Int?, rssi: Int8, fate: Fate,
    loss: PDULoss? = nil
  ) {
    self.start = start
    self.duration = duration
    self.rfChannel = rfChannel
    self.phy = phy
    self.accessAddress = accessAddress
    self.pdu = pdu
    self.crcInit = crcInit
    self.transmitter = transmitter
    self.receiver = receiver
    self.rssi = rssi
    self.fate = fate
    self.loss = loss
  }
}

/// What the radio half of a device shows: the air and the HCI seam.
public enum RadioEvent: Hashable, Sendable {
  /// Recorded only when an air capture is wanted.
  case air(AirPDU)
  /// Recorded only when HCI captures are wanted.
  case hciCommand(HCI.Command)
  case hciEvent(HCI.Event)
  case aclToController(HCI.ACLData)
  case aclToHost(HCI.ACLData)
  case isoToController(HCI.ISOData)
  case isoToHost(HCI.ISOData)
}
