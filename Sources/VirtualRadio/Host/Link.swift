import BluetoothWire
import SimKernel

/// One connection, from L2CAP up. `exclusivity(unchecked)`: see `HostStack`.
final class Link {
  let handle: HCI.ConnectionHandle
  let role: HCI.Role
  let peer: BluetoothAddress
  /// The address that the peer knows; nil: that of the stack.
  var own: BluetoothAddress?
  var interval: UInt16
  var peripheralLatency: UInt16
  var supervisionTimeout: UInt16
  var isDisconnecting = false
  /// The peer's LE features, once a central has read them.
  var remoteFeatures: UInt64 = 0
  /// Its controller knows which coding it prefers on LE Coded.
  var hasRequestedCoding = false

  // L2CAP
  @exclusivity(unchecked) var recombination = Recombination()
  @exclusivity(unchecked) var queue = TransmitQueue()
  /// Values that may wait in the queue.
  let queueDepth: Int
  /// ACL data packets that the controller holds for this link.
  @exclusivity(unchecked) var outstanding = 0
  /// Length of the frame that was last refused for want of room; 0 when there is room.
  @exclusivity(unchecked) var refusedLength = 0
  var signallingIdentifier: UInt8 = 0
  /// What the owner of the peripheral wishes its interval to be, until the central has answered.
  var wantedInterval: ClosedRange<UInt16>?
  /// When the peripheral will ask for its parameters.
  var parameterRequestTime = SimInstant.distantFuture
  /// Identifier of the parameter request that has no answer yet; 0 is none.
  var parameterRequestIdentifier: UInt8 = 0
  var parameterRequestDeadline = SimInstant.distantFuture

  // Credit based channels
  /// In the order in which they were asked for.
  var channels: [CreditChannel] = []
  /// Some channel has a K-frame or credits for the queue.
  @exclusivity(unchecked) var hasChannelBacklog = false
  var lastServedChannel = L2CAP.ChannelID(rawValue: 0)
  /// The first deadline of a channel.
  var channelDeadline = SimInstant.distantFuture

  // ATT bearer
  @exclusivity(unchecked) var mtu = ATT.defaultMTU
  /// What this side says it can receive; one value in both roles (Vol 3, Part F, 3.4.2.2).
  var ownRxMTU: Int
  var hasAskedForMTU = false
  var hasAnsweredMTU = false
  /// A transaction timed out: nothing more is sent or taken on this bearer (Vol 3, Part F, 3.3.3).
  @exclusivity(unchecked) var isBearerClosed = false

  // Server
  /// Client Characteristic Configuration values, by configuration index.
  @exclusivity(unchecked) var configurations: [UInt8]
  var prepared = PreparedWrites()
  /// The request that waits for the owner's answer.
  var asked: AskedRequest?
  /// The indication that waits for its confirmation.
  var indication: (attribute: ATT.Handle, characteristic: BluetoothUUID)?
  var indicationDeadline = SimInstant.distantFuture
  var isIndicationRefused = false
  /// Range that a Service Changed indication must still tell.
  var changedServices: ATT.HandleRange?

  // Client
  @exclusivity(unchecked) var client = ClientState()
  var requestDeadline = SimInstant.distantFuture
  /// When procedures may begin; the distant future: they may.
  var firstRequest = SimInstant.distantFuture
  /// The interval that it had before a discovery; nil: it has that. And when it has it again.
  var slowInterval: UInt16?
  var slowsDown = SimInstant.distantFuture

  /// Security; nil in a stack that does not pair.
  let protection: LinkProtection?

  init(_ complete: HCI.ConnectionComplete, _ configuration: HostConfiguration, clientConfigurations: Int) {
    handle = complete.handle
    role = complete.role
    peer = complete.peer
    interval = complete.interval
    peripheralLatency = complete.peripheralLatency
    supervisionTimeout = complete.supervisionTimeout
    queueDepth = configuration.queueDepth(as: role)
    ownRxMTU = min(max(configuration.attMTU(as: role), ATT.defaultMTU), ATT.largestMTU)
    protection = configuration.security == nil ? nil : LinkProtection()
    configurations = Array(repeating: 0, count: clientConfigurations)
  }

  var earliestDeadline: SimInstant {
    let ofATT = min(min(requestDeadline, indicationDeadline), min(parameterRequestTime, parameterRequestDeadline))
    let earliest = min(min(ofATT, channelDeadline), min(firstRequest, slowsDown))
    guard let protection else { return earliest }
    return min(earliest, protection.deadline)
  }
}
