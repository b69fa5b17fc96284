import BluetoothWire
import SimKernel

extension HostStack {
  /// Whether a value in a frame of `length` octets would be taken.
  func hasRoom(_ link: Link, length: Int) -> Bool {
    if link.queue.values < link.queueDepth { return true }
    // Without a queue for values, one may still wait among K-frames, which would else keep the link to themselves.
    guard link.queue.isEmpty else { return link.queue.hasChannelFramesOnly }
    let packets = (length + credits.packetLength - 1) / credits.packetLength
    return packets <= credits.available(outstanding: link.outstanding)
  }

  /// Sends a whole L2CAP frame, header included, or lets it wait for its turn.
  func send(_ link: Link, _ frame: consuming [UInt8], _ kind: TransmitQueue.Kind) {
    if let frameTap, frameTap.takes(frame, on: link.handle) { return }
    if link.queue.isEmpty, frame.count <= credits.packetLength, credits.available(outstanding: link.outstanding) > 0 {
      return submit(link, frame, .firstNonFlushable)
    }
    if kind != .value, link.queue.others + link.queue.responses >= TransmitQueue.otherLimit {
      return violation(link, "more to answer than a well-behaved peer asks; an answer was dropped")
    }
    link.queue.append(frame, kind)
    hasBacklog = true
    pump()
  }

  private func submit(_ link: Link, _ octets: consuming [UInt8], _ boundary: HCI.ACLData.Boundary) {
    if link.outstanding == 0 { credits.idleLinks -= 1 }
    link.outstanding += 1
    credits.free -= 1
    assert(credits.free >= 0 && credits.idleLinks >= 0, "each packet that goes down has a buffer")
    door.submit(HCI.ACLData(handle: link.handle, boundary: boundary, octets: octets))
  }

  /// Hands waiting frames down as long as buffers allow, each to the link of which the controller holds least: whoever
  /// got most would otherwise be the slowest link, which keeps its buffers longest. Among equals the link on the air
  /// comes first, and then the one that has waited longest.
  func pump() {
    guard hasBacklog else { return }
    while credits.free > 0, let link = linkToServe() {
      let (octets, boundary) = link.queue.takeFragment(credits.packetLength)
      submit(link, octets, boundary)
      if link.hasChannelBacklog { feedChannels(link) }
    }
    hasBacklog = links.contains { !$0.queue.isEmpty }
  }

  /// What the controller holds of a link, and whether the link is on the air now: a packet of it was completed last,
  /// and another one is under way. Without another one its event is over, and its turn comes as every other link's.
  private func rank(_ link: Link) -> Int {
    2 * link.outstanding + (link.outstanding > 0 && link.handle == completedLast ? 0 : 1)
  }

  private func linkToServe() -> Link? {
    var best = -1
    var least = Int.max
    var index = nextLinkToServe
    for _ in 0..<links.count {
      if index >= links.count { index = 0 }
      let ranked = links.with(index) { link in
        link.queue.isEmpty || credits.available(outstanding: link.outstanding) == 0 ? Int.max : rank(link)
      }
      if ranked < least { (best, least) = (index, ranked) }
      index += 1
    }
    guard best >= 0 else { return nil }
    nextLinkToServe = best + 1
    return links[best]
  }

  func receiveCompletedPackets(_ list: [HCI.CompletedPackets]) {
    for entry in list { completed(entry.handle, Int(entry.count)) }
    pump()
    announceRoom()
  }

  /// The credits come back; `pump` and `announceRoom` follow.
  func completed(_ handle: HCI.ConnectionHandle, _ packets: Int) {
    guard let place = place(of: handle) else { return }
    links.with(place) { link in
      let count = min(packets, link.outstanding)
      if count < packets {
        emit(.controllerFault("\(packets) packets completed on handle \(handle), \(count) were outstanding"))
      }
      returnCredits(link, count)
    }
    completedLast = handle
  }

  private func returnCredits(_ link: Link, _ count: Int) {
    guard count > 0 else { return }
    link.outstanding -= count
    credits.free += count
    assert(link.outstanding >= 0 && credits.free <= credits.packets, "no more buffers are free than there are")
    if link.outstanding == 0 { credits.idleLinks += 1 }
  }

  /// Tells the owner of every link that refused a value and would take it now.
  func announceRoom() {
    guard hasRefused else { return }
    hasRefused = false
    for link in links where link.refusedLength > 0 {
      if hasRoom(link, length: link.refusedLength) {
        link.refusedLength = 0
        emit(.readyToSend(link.handle))
      } else {
        hasRefused = true
      }
    }
  }

  func addLink(_ link: Link) {
    assert(!links.contains { $0.handle == link.handle }, "handles are unique")
    links.append(link)
    credits.idleLinks += 1
    isDeadlineCacheStale = true
    emit(
      .connected(
        link.handle,
        HostConnection(
          role: link.role, peer: link.peer, interval: link.interval, peripheralLatency: link.peripheralLatency,
          supervisionTimeout: link.supervisionTimeout)))
    beginLink(link)
  }

  /// The controller flushed what it held of the link (Vol 4, Part E, 4.1.1), therefore its buffers are free.
  func removeLink(_ handle: HCI.ConnectionHandle, reason: HCI.ErrorCode) {
    guard let index = place(of: handle) else { return }
    let link = links.remove(at: index)
    if completedLast == handle { completedLast = nil }
    if nextLinkToServe > index { nextLinkToServe -= 1 }
    returnCredits(link, link.outstanding)
    credits.idleLinks -= 1
    assert((0...links.count).contains(credits.idleLinks), "each idle link is there")
    isDeadlineCacheStale = true
    commands.dropLink(handle)
    loseChannels(link)
    security.dropSecrets(of: handle)
    emit(.disconnected(handle, reason: reason))
    pump()
    announceRoom()
  }

  /// Whether a further link in that role is one too many.
  func isFull(of role: HCI.Role) -> Bool {
    links.count { $0.role == role } >= configuration.maximumLinks(as: role)
  }

  func link(_ handle: HCI.ConnectionHandle) -> Link? { place(of: handle).map { links[$0] } }

  /// The index of a link in `links`; nil when there is none.
  func place(of handle: HCI.ConnectionHandle) -> Int? {
    if recentPlace < links.count, links.with(recentPlace, { $0.handle == handle }) { return recentPlace }
    guard let place = links.firstIndex(where: { $0.handle == handle }) else { return nil }
    recentPlace = place
    return place
  }
}
