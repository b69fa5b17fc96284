import BluetoothWire
import LinkCrypto
import SimKernel

/// A connected isochronous stream between two radios: its timing, and both ends.
final class IsochronousStream {
  let index: Int
  /// The link that it goes with.
  let connection: Connection
  let shape: LL.CISRequest
  let indication: LL.CISIndication
  let central: StreamEnd
  let peripheral: StreamEnd
  /// Interval, and Sub_Interval, of the central's clock in true time.
  let step: SimDuration
  let substep: SimDuration
  let firstAnchor: SimInstant
  /// What both ends encrypt with; nil: the link is not encrypted.
  let ciphers: (central: LinkCipher?, peripheral: LinkCipher?)
  /// The anchor point of the present or the next event.
  var anchor: SimInstant
  /// cisEventCounter.
  var eventNumber: UInt64 = 0
  var subevent = 0
  var channels: LL.ChannelSelection2.Subevents
  /// When the peripheral last heard the central on the stream.
  var heardAnchor: SimInstant
  // The exchange on the air.
  var pduStart = SimInstant.zero
  var pduEnd = SimInstant.zero
  var rfChannel = 0
  var peripheralListens = false
  var header = LL.StreamHeader(0, 0)
  var octets: [UInt8] = []
  var handle: EventHandle?

  init(
    index: Int, connection: Connection, shape: LL.CISRequest, indication: LL.CISIndication, central: StreamEnd,
    peripheral: StreamEnd, anchor: SimInstant
  ) {
    self.index = index
    self.connection = connection
    self.shape = shape
    self.indication = indication
    self.central = central
    self.peripheral = peripheral
    step = central.radio.trueTime(.microseconds(Int64(shape.intervalTime)))
    substep = central.radio.trueTime(.microseconds(Int64(shape.subinterval)))
    firstAnchor = anchor
    self.anchor = anchor
    heardAnchor = anchor
    channels = Self.channels(0, indication.accessAddress, connection.channelMap)
    let address = indication.accessAddress
    ciphers = (
      connection.central.security?.transmit?.ofStream(accessAddress: address),
      connection.peripheral.security?.transmit?.ofStream(accessAddress: address)
    )
  }

  func end(_ role: HCI.Role) -> StreamEnd { role == .central ? central : peripheral }
  func cipher(of role: HCI.Role) -> LinkCipher? { role == .central ? ciphers.central : ciphers.peripheral }

  /// When its next subevent begins.
  var nextStart: SimInstant { anchor + substep * Int64(subevent) }

  /// The anchor point of the event that brings a payload.
  func anchor(of payload: UInt64, _ direction: LL.StreamDirection) -> SimInstant {
    firstAnchor + step * Int64(payload / UInt64(max(1, direction.burst)))
  }

  /// The channels of the present event, with the map that the link has now.
  func beginChannels() {
    channels = Self.channels(
      UInt16(truncatingIfNeeded: eventNumber), indication.accessAddress, connection.channelMap)
  }

  private static func channels(
    _ counter: UInt16, _ accessAddress: UInt32, _ map: LL.ChannelMap
  ) -> LL.ChannelSelection2.Subevents {
    .init(eventCounter: counter, accessAddress: accessAddress, map: map)
  }
}

/// A stream that a peripheral's host was asked about.
struct StreamOffer {
  var request: LL.CISRequest
  var handle: HCI.ConnectionHandle
  /// LL_CIS_RSP is out.
  var isAccepted = false
}
