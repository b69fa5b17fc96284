import BluetoothWire
import SimKernel

/// The client's discovery procedures. A server that answers out of order, or outside of what was asked, ends them:
/// every accepted answer moves the next handle up, so they end with any server.
extension HostStack {
  // MARK: All primary services (Vol 3, Part G, 4.4.1)

  func askForServices(_ link: Link, from next: ATT.Handle) {
    sendRequest(link, .readByGroupTypeRequest(ATT.HandleRange(start: next, end: 0xFFFF), type: .short(0x2800)))
  }

  func foundServices(
    _ link: Link, _ next: ATT.Handle, _ found: [GATT.DiscoveredService], _ tag: Int, _ answer: ClientState.Answer
  ) {
    var found = found
    var next = next
    var isDone = true
    if case .response(.readByGroupTypeResponse(let groups)) = answer {
      isDone = false
      for group in groups {
        guard group.handle >= next, group.end >= group.handle, found.count < ClientState.discoveryLimit,
          let uuid = try? BluetoothUUID(decoding: group.value)
        else {
          violation(link, "service at handle \(group.handle) out of order")
          isDone = true
          break
        }
        found.append(GATT.DiscoveredService(uuid: uuid, start: group.handle, end: group.end))
        if group.end == 0xFFFF {
          isDone = true
          break
        }
        next = group.end + 1
      }
    }
    if isDone { return emit(.primaryServices(link.handle, found, tag: tag)) }
    link.client.step = .findingServices(next: next, found: found, tag: tag)
    askForServices(link, from: next)
  }

  // MARK: One primary service (4.4.2)

  func askForService(_ link: Link, _ uuid: BluetoothUUID, from next: ATT.Handle) {
    sendRequest(
      link,
      .findByTypeValueRequest(ATT.HandleRange(start: next, end: 0xFFFF), type: 0x2800, value: uuid.octets))
  }

  func foundService(
    _ link: Link, _ uuid: BluetoothUUID, _ next: ATT.Handle, _ found: [ATT.HandleRange],
    _ answer: ClientState.Answer
  ) {
    var found = found
    var next = next
    var isDone = true
    if case .response(.findByTypeValueResponse(let ranges)) = answer {
      isDone = false
      for range in ranges {
        guard range.start >= next, range.isValid, found.count < ClientState.discoveryLimit else {
          violation(link, "service at handle \(range.start) out of order")
          isDone = true
          break
        }
        found.append(range)
        if range.end == 0xFFFF {
          isDone = true
          break
        }
        next = range.end + 1
      }
    }
    guard isDone else {
      link.client.step = .findingService(uuid, next: next, found: found)
      return askForService(link, uuid, from: next)
    }
    let discovery = ClientState.Discovery(service: uuid, ranges: found, next: found.first?.start ?? 0)
    if found.isEmpty { finishDiscovery(link, discovery) } else { askForCharacteristics(link, discovery) }
  }

  // MARK: Characteristics (4.6.1)

  /// The characteristics of a range of handles, for an owner that names attributes by handle.
  func beginFindingCharacteristics(_ link: Link, _ range: ATT.HandleRange, _ tag: Int) {
    link.client.namesHandles = true
    askForCharacteristics(link, ClientState.Discovery(service: nil, ranges: [range], next: range.start, tag: tag))
  }

  private func askForCharacteristics(_ link: Link, _ discovery: ClientState.Discovery) {
    link.client.step = .findingCharacteristics(discovery)
    let range = ATT.HandleRange(start: discovery.next, end: discovery.ranges[discovery.index].end)
    sendRequest(link, .readByTypeRequest(range, type: .short(0x2803)))
  }

  func foundCharacteristics(_ link: Link, _ discovery: ClientState.Discovery, _ answer: ClientState.Answer) {
    var discovery = discovery
    let end = discovery.ranges[discovery.index].end
    var isRangeDone = true
    if case .response(.readByTypeResponse(let list)) = answer {
      isRangeDone = !list.allSatisfy { add($0, to: &discovery, end: end) }
      if isRangeDone { violation(link, "characteristic declaration out of order or malformed") }
      // The declaration that was last is followed by its value, so there is room for another one only after that.
      isRangeDone = isRangeDone || discovery.next >= end
    }
    if !isRangeDone { return askForCharacteristics(link, discovery) }
    discovery.index += 1
    if discovery.index < discovery.ranges.count {
      discovery.next = discovery.ranges[discovery.index].start
      return askForCharacteristics(link, discovery)
    }
    discovery.index = 0
    discovery.next = 0
    askForDescriptors(link, discovery)
  }

  /// False when the entry is no characteristic declaration that may stand here.
  private func add(_ entry: ATT.HandleValue, to discovery: inout ClientState.Discovery, end: ATT.Handle) -> Bool {
    let octets = entry.value
    guard entry.handle >= discovery.next, entry.handle < end, octets.count == 5 || octets.count == 19,
      let uuid = try? BluetoothUUID(decoding: octets[3...])
    else { return false }
    let value = UInt16(octets[1]) | UInt16(octets[2]) << 8
    guard value > entry.handle, value <= end, discovery.found.count < ClientState.discoveryLimit else { return false }
    if let last = discovery.found.last, last.end == end, last.declaration >= discovery.ranges[discovery.index].start {
      guard entry.handle > last.value else { return false }
      discovery.found[discovery.found.count - 1].end = entry.handle - 1
    }
    discovery.found.append(
      GATT.DiscoveredCharacteristic(
        uuid: uuid, properties: GATT.Properties(rawValue: octets[0]), declaration: entry.handle, value: value,
        end: end, instance: discovery.index))
    discovery.next = entry.handle + 1
    return true
  }

  // MARK: Descriptors (4.7.1)

  private func askForDescriptors(_ link: Link, _ discovery: ClientState.Discovery) {
    var discovery = discovery
    while discovery.index < discovery.found.count {
      let characteristic = discovery.found[discovery.index]
      if discovery.next <= characteristic.value { discovery.next = characteristic.value }
      if discovery.next < characteristic.end {
        link.client.step = .findingDescriptors(discovery)
        let range = ATT.HandleRange(start: discovery.next + 1, end: characteristic.end)
        return sendRequest(link, .findInformationRequest(range))
      }
      discovery.index += 1
    }
    finishDiscovery(link, discovery)
  }

  func foundDescriptors(_ link: Link, _ discovery: ClientState.Discovery, _ answer: ClientState.Answer) {
    var discovery = discovery
    let end = discovery.found[discovery.index].end
    let before = discovery.next
    if case .response(.findInformationResponse(let list)) = answer {
      for entry in list {
        guard entry.handle > discovery.next, entry.handle <= end else {
          violation(link, "descriptor at handle \(entry.handle) out of order")
          discovery.next = before
          break
        }
        if entry.type.uuid == .clientCharacteristicConfiguration {
          discovery.found[discovery.index].clientConfiguration = entry.handle
        }
        discovery.next = entry.handle
      }
    }
    if discovery.next == before { discovery.index += 1 }
    askForDescriptors(link, discovery)
  }

  private func finishDiscovery(_ link: Link, _ discovery: ClientState.Discovery) {
    link.client.learn(discovery)
    if let service = discovery.service {
      emit(.servicesDiscovered(link.handle, service: service, characteristics: discovery.found))
    } else {
      emit(
        .characteristicsFound(link.handle, discovery.ranges[0], discovery.found, error: nil, tag: discovery.tag))
    }
  }
}

// MARK: The interval of a discovery

extension HostStack {
  /// Something is discovered on a link, which has the interval for that.
  func hurry(_ link: Link) {
    guard let interval = configuration.discoveryInterval, link.role == .central else { return }
    link.slowsDown = .distantFuture
    isDeadlineCacheStale = true
    guard link.slowInterval == nil, link.interval > interval else { return }
    link.slowInterval = link.interval
    updateConnection(link.handle, interval: interval, peripheralLatency: nil, supervisionTimeout: nil)
  }

  /// The link's client is idle: unless a discovery follows, the link has its own interval again.
  func isDone(_ link: Link) {
    guard link.slowInterval != nil, link.slowsDown == .distantFuture else { return }
    link.slowsDown = now + configuration.discoveryPause
    isDeadlineCacheStale = true
  }

  func slowDown(_ link: Link) {
    link.slowsDown = .distantFuture
    guard let interval = link.slowInterval else { return }
    link.slowInterval = nil
    updateConnection(link.handle, interval: interval, peripheralLatency: nil, supervisionTimeout: nil)
  }
}
