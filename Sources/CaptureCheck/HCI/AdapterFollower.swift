import BluetoothWire
import CaptureFormats
import SimKernel

/// Follows the LE connections of one controller at its HCI: from LE Connection Complete to Disconnection Complete, or
/// from the first frame of an LE channel on a handle that came up before the capture did.
///
/// Spec: Core v5.4, Vol 4, Part E, 5.4 and 7.7.
final class AdapterFollower {
  /// Qualcomm's debug records; the number is a handle like others, but nothing ever opens it. Broadcom's have reserved
  /// numbers.
  private static let debugHandle = 0x0EDC
  /// Connection handles go up to 0x0EFF (Vol 4, Part E, 5.4.2).
  private static let handles = 0x0F00

  let adapter: TrafficAdapter
  let output: TrafficOutput
  private let table = LinkTable()
  /// Handles whose data is not that of an LE connection.
  @exclusivity(unchecked) private var foreign: [Int: TrafficForeign] = [:]
  /// When handles were disconnected.
  @exclusivity(unchecked) private var closedAt: [Int: SimInstant] = [:]
  /// What the host's commands say about its addresses.
  @exclusivity(unchecked) var addresses = OwnAddresses()
  /// What this device serves itself, over all its links.
  let attributes = AttributeMap()
  @exclusivity(unchecked) var reports = AdvertisingReports()
  /// Whether its records come in their order, and once.
  @exclusivity(unchecked) var order = RecordOrder()

  init(_ adapter: TrafficAdapter, _ output: TrafficOutput) {
    self.adapter = adapter
    self.output = output
  }

  // MARK: Links

  func link(_ handle: Int) -> TrafficLink? { table[handle] }

  /// The link that an event of LE is about: such an event proves that its handle is one of LE. What was on its way when
  /// the connection ended is about the one that is over.
  func linkOfEvent(_ handle: UInt16) -> TrafficLink? {
    let place = Int(handle)
    if let link = link(place) { return link }
    return place < Self.handles && !hasJustClosed(place) ? openInTheMiddle(place) : nil
  }

  func open(_ handle: UInt16, _ make: (_ index: Int) -> TrafficLink) {
    let place = Int(handle)
    guard place < Self.handles else { return }
    // A handle that never closed: its connection was lost without a word.
    if let old = link(place) { close(old, reason: nil) }
    foreign[place] = nil
    put(output.open(make), at: place)
  }

  private func openInTheMiddle(_ handle: Int) -> TrafficLink {
    foreign[handle] = nil
    let link = output.open { index in
      TrafficLink(
        index: index, file: adapter.file, handle: UInt16(handle), adapter: adapter, accessAddress: nil,
        viewpoint: .hostOfUnknownRole, central: nil, peripheral: nil, isFromStart: false, openedAt: output.instant,
        openedBy: output.place, attributesOfCentral: attributes)
    }
    put(link, at: handle)
    return link
  }

  private func put(_ link: TrafficLink, at place: Int) {
    adapter.flow.open(place, isFromStart: link.isFromStart)
    table.put(link, at: place)
  }

  func close(_ handle: UInt16, reason: HCI.ErrorCode?) {
    if let link = link(Int(handle)) {
      close(link, reason: reason)
      table.remove(Int(handle))
      foreign[Int(handle)] = .closed
      closedAt[Int(handle)] = output.instant
    } else {
      foreign[Int(handle)] = nil
    }
  }

  private func close(_ link: TrafficLink, reason: HCI.ErrorCode?) {
    output.close(link, reason: reason)
    if let handle = link.handle { adapter.flow.close(Int(handle)) }
  }

  /// After a reset, or when the adapter is gone.
  func forgetConnections() {
    for link in table.removeAll() { close(link, reason: nil) }
    foreign = [:]
    reports = AdvertisingReports()
    addresses.reset()
    adapter.randomAddress = nil
  }

  /// Records of this controller are missing, or not what they seem: what it and its host have under way is not known.
  /// - Parameter ofLinks: whether they may have been about its connections.
  func lose(_ gap: TrafficGap, ofLinks: Bool = true) {
    adapter.disturbances += 1
    if gap != .disorder { adapter.hasLosses = true }
    adapter.flow.forget()
    if !ofLinks { return }
    for link in table.live {
      link.requestOfCentral = PendingRequest()
      link.requestOfPeripheral = PendingRequest()
      _ = link.fromCentral.abandon()
      _ = link.fromPeripheral.abandon()
      output.gap(link, fromCentral: nil, gap)
    }
  }

  func markClassic(_ handle: UInt16) {
    if let link = link(Int(handle)) { close(link, reason: nil) }
    foreign[Int(handle)] = .classic
  }

  /// Something told which side of a link that was found in the middle the captured device is.
  func learnRole(_ role: HCI.Role, _ link: TrafficLink) {
    guard link.viewpoint == .hostOfUnknownRole else { return }
    link.viewpoint = .host(role)
    if role == .peripheral { link.turnRound() }
    let own = adapter.addresses.count == 1 ? adapter.addresses.first : nil
    if role == .central { link.central = own } else { link.peripheral = own }
    output.changed(link, .role)
  }

  // MARK: Data

  func readACL(_ octets: ArraySlice<UInt8>, isToHost: Bool?) {
    guard octets.count >= 4 else {
      return output.emit(.asides) {
        .aside(.hci(adapter: adapter.number, indicator: HCI.PacketIndicator.acl, isToHost: isToHost), octets)
      }
    }
    let start = octets.startIndex
    let field = UInt16(octets[start]) | UInt16(octets[start + 1]) << 8
    let length = Int(octets[start + 2]) | Int(octets[start + 3]) << 8
    let boundary = UInt8(truncatingIfNeeded: field >> 12 & 3)
    let data = octets[(start + 4)...]
    let handle = Int(field & 0x0FFF)
    // On LE, only the controller calls a first fragment flushable (Vol 4, Part E, 5.4.2).
    let isToHost = isToHost ?? (boundary == 2)
    if table.with(handle, { receive(data, field, length, isToHost, $0) }) { return }
    guard let link = linkOfData(data, handle, boundary, isToHost) else { return }
    receive(data, field, length, isToHost, link)
  }

  /// ACL data of a connection of LE.
  /// - Parameters:
  ///   - field: `Handle`, `PB_Flag` and `BC_Flag` of the header.
  ///   - length: `Data_Total_Length` of the header.
  @inline(__always)
  private func receive(_ data: ArraySlice<UInt8>, _ field: UInt16, _ length: Int, _ isToHost: Bool, _ link: TrafficLink)
  {
    let boundary = UInt8(truncatingIfNeeded: field >> 12 & 3)
    if link.viewpoint == .hostOfUnknownRole { lookForRole(data, boundary, isToHost, link) }
    let fromCentral = link.isHostPeripheral == isToHost
    output.emit(
      fragment: data, .acl(boundary: boundary, broadcast: UInt8(truncatingIfNeeded: field >> 14)), link,
      fromCentral: fromCentral)
    if !isToHost { adapter.flow.send(Int(field & 0x0FFF)) }
    if data.count != length {
      _ = fromCentral ? link.fromCentral.abandon() : link.fromPeripheral.abandon()
      return output.gap(link, fromCentral: fromCentral, data.count < length ? .snapped : .lengthMismatch)
    }
    ChannelFollower.recombine(data, isStart: boundary != 1, link, fromCentral: fromCentral, to: output)
  }

  /// Data on a handle that no event opened: a link in the middle of its life when the channel is one of LE's own,
  /// else nil, and told as foreign.
  private func linkOfData(
    _ data: ArraySlice<UInt8>, _ handle: Int, _ boundary: UInt8, _ isToHost: Bool
  ) -> TrafficLink? {
    var kind = foreign[handle] ?? .undecided
    if handle >= Self.handles {
      kind = isToHost ? .debug : .reservedHandle
    } else if handle == Self.debugHandle {
      kind = .debug
    } else if kind != .classic, boundary != 1, data.count >= 4 {
      let fields = OctetFields(data)
      switch fields.u16(2) {
      // A closed handle comes to life again only from below: the host may have had data on its way.
      case 4, 5, 6:
        if Int(fields.u16(0)) + 4 >= data.count, kind != .closed || isToHost && !hasJustClosed(handle) {
          return openInTheMiddle(handle)
        }
      case 1, 2, 3, 7:
        kind = .classic
        foreign[handle] = .classic
      default: break
      }
    }
    output.emit(.foreign) { .foreign(adapter, handle: UInt16(handle), kind, data) }
    return nil
  }

  /// Events and data come by different ways: data of the old link may be there after the event that ends it.
  private func hasJustClosed(_ handle: Int) -> Bool {
    guard let closed = closedAt[handle] else { return false }
    return output.instant - closed < .seconds(1)
  }

  /// Frames that only one of the two sides may send: L2CAP Connection Parameter Update (Vol 3, Part A, 4.20), and of
  /// the Security Manager the pairing request, its response and the security request (Vol 3, Part H, 2.3 and 3.5).
  private func lookForRole(_ data: ArraySlice<UInt8>, _ boundary: UInt8, _ isToHost: Bool, _ link: TrafficLink) {
    guard boundary != 1, data.count >= 5 else { return }
    let fields = OctetFields(data)
    switch (fields.u16(2), fields.u8(4)) {
    case (5, 0x13), (6, 0x01): learnRole(isToHost ? .peripheral : .central, link)
    case (5, 0x12), (6, 0x02), (6, 0x0B): learnRole(isToHost ? .central : .peripheral, link)
    default: break
    }
  }
}
