import BluetoothWire
import SimKernel

/// Making and losing connections: transmit window, establishment, supervision timeout, leaving.
extension RadioWorld {
  /// A CONNECT_IND went out: the central has a connection, unless a hostile one knows nothing of it; the peripheral has
  /// one too when it heard it.
  /// - Parameters:
  ///   - earliest: the start of the transmit window with an offset of 0; nil: that of a CONNECT_IND that ends now.
  ///   - phy: on which it begins.
  func makeConnection(
    _ parameters: LL.ConnectInd, central: Radio, by initiation: Initiation?, peripheral set: Advertiser, heard: Bool,
    anchorWithin: SimDuration? = nil, earliest: SimInstant? = nil, phy: HCI.PHY = .le1M
  ) {
    let now = timeline.now
    let peripheral = set.radio
    assert(central !== peripheral, "a link has two radios")
    unparkAll(on: central)
    unparkAll(on: peripheral)
    let start = (earliest ?? now + Self.transmitWindowDelay) + .microseconds(1_250) * Int64(parameters.windowOffset)
    let window = SimDuration.microseconds(1_250) * Int64(parameters.windowSize)
    let drawn = SimDuration.nanoseconds(Int64(central.anchorStream.below(UInt64(window.nanoseconds))))
    let centralEnd = LinkEnd(
      radio: central, role: .central, handle: initiation == nil ? 0 : central.controller.nextHandle(),
      isPresent: initiation != nil, now: now)
    let peripheralEnd = LinkEnd(
      radio: peripheral, role: .peripheral, handle: heard ? peripheral.controller.nextHandle() : 0,
      isPresent: heard, now: now)
    peripheralEnd.heardAnchor = start
    let isOfProgram = central.configuration.hasExternalLinkLayer
    let connection = Connection(
      index: connections.count, parameters: parameters, central: centralEnd, peripheral: peripheralEnd,
      anchor: start + (isOfProgram ? .zero : anchorWithin ?? drawn), firstWindow: window)
    noteProgram(connection)
    for end in [centralEnd, peripheralEnd] { connection.setPHY(of: end, phy) }
    for end in [centralEnd, peripheralEnd] { beginDataLength(end, connection) }
    connections.append(connection)
    if let initiation {
      connection.limitEvents(to: initiation.parameters.eventLengthMaximum)
      central.add(connection, centralEnd)
    }
    if heard { peripheral.add(connection, peripheralEnd) }
    connection.handle = scheduleStep(.anchor, connection, at: connection.anchor)
    armSupervision(centralEnd, connection)
    if let initiation {
      central.controller.connected(
        connection, centralEnd, peer: parameters.advertiser, own: parameters.initiator,
        as: initiation.ownAddress)
    }
    if heard {
      armSupervision(peripheralEnd, connection)
      peripheral.controller.connected(
        connection, peripheralEnd, peer: parameters.initiator, own: parameters.advertiser, as: set.setup.ownAddress,
        set: set)
    }
    reconsiderParking()
  }

  /// Starts the supervision timer after a miss: a healthy link needs none in the queue. It counts from the last valid
  /// PDU; before the first one the limit is six intervals (Vol 6, Part B, 4.5.2).
  ///
  /// A valid PDU ends it (`supervisionDue`), and leaves the look in the queue for the next miss.
  func armSupervision(_ end: LinkEnd, _ c: Connection) {
    guard end.supervisionDue == nil, end.isPresent else { return }
    let limit = end.isEstablished ? end.supervisionTimeout : c.interval * 6
    let due = max(end.lastValid + end.radio.trueTime(limit), timeline.now)
    end.supervisionDue = due
    if let handle = end.supervision {
      if end.supervisionLook <= due { return }
      timeline.cancel(handle)
    }
    lookAtSupervision(end, c, at: due)
  }

  private func lookAtSupervision(_ end: LinkEnd, _ c: Connection, at instant: SimInstant) {
    end.supervisionLook = instant
    end.supervision = schedule(.supervision, c.index, at: instant, argument: UInt64(end.role.rawValue))
  }

  func supervisionLooks(_ c: Connection, role: HCI.Role) {
    let end = c.end(role)
    assert(end.supervisionLook == timeline.now, "a look comes when it was planned")
    end.supervision = nil
    guard end.isPresent, let due = end.supervisionDue else { return }
    if due > timeline.now { return lookAtSupervision(end, c, at: due) }
    drop(
      end, c,
      reason: end.isTerminating
        ? .connectionTerminatedByLocalHost : end.isEstablished ? .connectionTimeout : .connectionFailedToBeEstablished)
  }

  /// An end leaves the connection and tells its host why.
  func drop(_ end: LinkEnd, _ c: Connection, reason: HCI.ErrorCode) {
    guard end.isPresent else { return }
    if c.isParked { unpark(c) }
    if end.radio.configuration.supportsStreams { dropStreams(end, c, reason: reason) }
    end.isPresent = false
    for handle in [end.supervision, end.procedureTimeout, end.security?.authentication] {
      if let handle { timeline.cancel(handle) }
    }
    end.supervision = nil
    end.procedureTimeout = nil
    end.security?.authentication = nil
    end.radio.remove(c, end)
    end.radio.controller.disconnected(end, reason: reason)
    if !c.central.isPresent, !c.peripheral.isPresent, let handle = c.handle {
      timeline.cancel(handle)
      c.handle = nil
    }
    var digest = digest
    digest.combine(UInt64(bitPattern: timeline.now.nanoseconds))
    digest.combine(UInt64(c.index) << 16 | UInt64(end.role.rawValue) << 8 | UInt64(reason.rawValue))
    self.digest = digest
  }

  /// Ends all links of a device without a PDU on the air (adapter reset).
  func dropAll(of radio: Radio, reason: HCI.ErrorCode) {
    for connection in Array(radio.links) { drop(connection.end(at: radio), connection, reason: reason) }
  }
}
