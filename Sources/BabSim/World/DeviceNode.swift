import BluetoothWire
import SimKernel
import VirtualRadio

/// One simulated device: host stack below, app above, and what the platform between them remembers.
final class DeviceNode {
  let index: Int
  let device: Device
  let address: BluetoothAddress
  let controller: Controller
  let seat: Seat
  @exclusivity(unchecked) var host: HostStack
  /// nil: the app is not running.
  @exclusivity(unchecked) var engine: (any AppEngine)?
  /// Inputs that wait for the app.
  let inbox = Fifo<AppInput>()
  /// It stands in the world's queue of devices with inputs.
  var isQueued = false
  var isRadioOn = true
  var isVanished = false
  var isInBackground = false
  var position: Position
  /// Where it was before it went out of range.
  var placeBefore: Position?
  /// Up, in the order in which they came; their handles stand in the same order.
  @exclusivity(unchecked) private(set) var links: [AppLink] = []
  @exclusivity(unchecked) private var handles: [HCI.ConnectionHandle] = []
  private var nextLink = 0
  var timers: [AppTimer] = []
  @exclusivity(unchecked) var hostDeadline: EventHandle?
  /// The app wants to advertise, scan; the platform may not do it at the moment (background, radio off).
  var advertisement: AdvertisementRequest?
  var isAdvertising = false
  var scanFilter: [BluetoothUUID]?
  var connecting: [BluetoothAddress] = []
  var services: [ServiceDefinition] = []
  /// A launched stack is ready once its controller has answered; effects before that wait.
  @exclusivity(unchecked) var isPoweredOn = false
  var held: [AppEffect] = []
  /// What its person wants to do as soon as the app is there.
  var wishes: [UserAction] = []
  @exclusivity(unchecked) var faults: [ActiveMessageFault] = []
  @exclusivity(unchecked) var valuesSent = 0
  @exclusivity(unchecked) var valuesReceived = 0

  init(
    index: Int, device: Device, address: BluetoothAddress, controller: Controller, seat: Seat, host: HostStack
  ) {
    self.index = index
    self.device = device
    self.address = address
    self.controller = controller
    self.seat = seat
    self.host = host
    position = device.position
  }

  func addLink(
    _ handle: HCI.ConnectionHandle, peer: BluetoothAddress, peerDevice: Int?, role: HCI.Role
  ) -> AppLink {
    let link = AppLink(id: LinkID(nextLink), handle: handle, peer: peer, peerDevice: peerDevice, role: role)
    nextLink += 1
    links.append(link)
    handles.append(handle)
    return link
  }

  func link(_ handle: HCI.ConnectionHandle) -> AppLink? { handles.firstIndex(of: handle).map { links[$0] } }

  func link(_ id: LinkID) -> AppLink? {
    // Ids only grow, so a link stands at or before the place of its number.
    var index = min(id.rawValue, links.count - 1)
    while index >= 0 {
      if links[index].id == id { return links[index] }
      index -= 1
    }
    return nil
  }

  func removeLink(_ handle: HCI.ConnectionHandle) {
    guard let index = handles.firstIndex(of: handle) else { return }
    links.remove(at: index)
    handles.remove(at: index)
  }

  func removeAllLinks() {
    links.removeAll()
    handles.removeAll()
  }
}

/// A connection as the platform knows it for an app.
final class AppLink {
  let id: LinkID
  let handle: HCI.ConnectionHandle
  let peer: BluetoothAddress
  /// The device at the other end; nil for a stranger.
  let peerDevice: Int?
  let role: HCI.Role
  var attMTU = 23
  /// Writes whose answer is out, oldest first; false: a broken stack's own, whose answer the app must not see.
  var writes: [Bool] = []

  init(id: LinkID, handle: HCI.ConnectionHandle, peer: BluetoothAddress, peerDevice: Int?, role: HCI.Role) {
    self.id = id
    self.handle = handle
    self.peer = peer
    self.peerDevice = peerDevice
    self.role = role
  }
}

struct AppTimer {
  var id: TimerID
  var handle: EventHandle
}

/// A broken stack at work.
struct ActiveMessageFault {
  var rule: MessageFaultRule
  var seen = 0
  var hits = 0
  /// A value that waits to be overtaken by the next one of its link and characteristic.
  var held: (link: LinkID, characteristic: BluetoothUUID, octets: [UInt8])?

  /// Whether this value is hit; counts it.
  mutating func strikes() -> Bool {
    if let count = rule.count, hits >= count { return false }
    seen += 1
    guard seen % max(1, rule.everyNth) == 0 else { return false }
    hits += 1
    return true
  }
}
