package import AppSeam
package import BluetoothWire
import SimKernel
import VirtualRadio

/// A value on its way between an app and a link.
package struct Value: Hashable, Sendable {
  package var link: LinkID
  package var characteristic: BluetoothUUID
  package var octets: [UInt8]
  /// Where an app that names attributes one by one has it; nil: it is named by type.
  var place: ValuePlace?
  /// The write that brought it up, if the app answers it.
  var asked: AskedWrite?

  package init(link: LinkID, characteristic: BluetoothUUID, octets: [UInt8]) {
    self.link = link
    self.characteristic = characteristic
    self.octets = octets
  }

  init(
    link: LinkID, characteristic: BluetoothUUID, octets: [UInt8], place: ValuePlace?, asked: AskedWrite? = nil
  ) {
    self.init(link: link, characteristic: characteristic, octets: octets)
    self.place = place
    self.asked = asked
  }
}

/// An attribute of this device, or of the other end.
enum ValuePlace: Hashable, Sendable {
  case own(AttributeKey)
  case remote(ATT.Handle)
}

/// A write that the app is asked to take.
struct AskedWrite: Hashable, Sendable {
  var request: RequestID
  var needsAnswer: Bool
}

package enum ValueCarrier: Hashable, Sendable {
  case notification, writeCommand, write
}

/// Sees the values that an app gives its stack, before the stack does.
package protocol ValueTap: AnyObject {
  /// Whether the tap takes the value over; the app is then told that it was accepted. It must not call back.
  func takes(_ value: Value, as carrier: ValueCarrier, device: Int) -> Bool
}

/// Values down to the host stack and up to the app, and the broken stacks in between.
extension DevicePlatform {
  func submit(_ value: Value, as carrier: ValueCarrier) {
    if let valueTap, valueTap.takes(value, as: carrier, device: index) {
      return answer(value, as: carrier, accepted: true)
    }
    guard let place = place(of: value.link) else {
      if carrier == .notification { observe(.valueUnwanted, value.link, "link \(value.link.rawValue) is gone") }
      answer(value, as: carrier, accepted: false)
      return
    }
    links.with(place) { submit(value, as: carrier, on: $0) }
  }

  private func submit(_ value: Value, as carrier: ValueCarrier, on link: AppLink) {
    if !faults.isEmpty, let index = struck(.fromDevice) {
      observe(faults[index].rule.fault, on: value)
      switch faults[index].rule.fault {
      case .drop:
        answer(value, as: carrier, accepted: true)
        return
      case .duplicate:
        send(value, as: carrier, link, isEcho: true)
      case .corrupt:
        send(corrupted(value), as: carrier, link)
        return
      case .reorder:
        faults[index].held = (value, carrier)
        answer(value, as: carrier, accepted: true)
        return
      }
    }
    send(value, as: carrier, link)
    overtaken(.fromDevice, value.link) { send($0, as: $1 ?? carrier, link, isEcho: true) }
  }

  /// Sends a value that the app knows nothing of, and that no tap sees.
  /// - Returns: false when the stack has no room for it; a value without a link counts as sent.
  package func sendPastTap(_ value: Value, as carrier: ValueCarrier) -> Bool {
    guard let place = place(of: value.link) else { return true }
    host.advance(to: timeline.now)
    let isTaken = links.with(place) { send(value, as: carrier, $0, isEcho: true) }
    drainHost()
    return isTaken
  }

  /// Whether the stack has taken the value.
  @discardableResult
  private func send(
    _ value: Value, as carrier: ValueCarrier, _ link: AppLink, isEcho: Bool = false
  ) -> Bool {
    let accepted: Bool
    switch carrier {
    case .notification:
      accepted =
        if let place = value.place {
          notify(link, place, value.octets)
        } else {
          stack.with(0) { $0.notify(link.handle, characteristic: value.characteristic, value: value.octets) }
        }
    case .writeCommand:
      accepted =
        if case .remote(let handle)? = value.place {
          host.writeWithoutResponse(
            link.handle, attribute: handle, type: value.characteristic, value: value.octets)
        } else {
          host.writeWithoutResponse(link.handle, characteristic: value.characteristic, value: value.octets)
        }
    case .write:
      if isEcho { writeOut(value, link, as: .echo) } else { write(value, link) }
      valuesSent += 1
      return true
    }
    if accepted {
      valuesSent += 1
    } else if carrier == .notification, !isEcho, !hasSubscribed(link, value) {
      observe(
        .valueUnwanted, value.link,
        "its client has not subscribed to \(value.characteristic) on link \(value.link.rawValue)")
    }
    if !isEcho { answer(value, as: carrier, accepted: accepted) }
    return accepted
  }

  func write(_ value: Value, _ link: AppLink) { writeOut(value, link, as: .ofApp(value)) }

  private func writeOut(_ value: Value, _ link: AppLink, as content: PendingContent) {
    if case .remote(let handle)? = value.place {
      let tag = link.nextTag()
      link.writes.append(PendingWrite(content: content, tag: tag))
      host.write(link.handle, attribute: handle, value: value.octets, tag: tag)
    } else {
      link.writes.append(PendingWrite(content: content))
      host.write(link.handle, characteristic: value.characteristic, value: value.octets)
    }
  }

  private func notify(_ link: AppLink, _ place: ValuePlace, _ octets: [UInt8]) -> Bool {
    guard case .own(let key) = place, let own = attributes[key] else { return false }
    return host.send(link.handle, attribute: own.handle, value: octets)
  }

  private func hasSubscribed(_ link: AppLink, _ value: Value) -> Bool {
    if case .own(let key)? = value.place {
      return attributes[key].map { host.hasSubscribed(link.handle, attribute: $0.handle) } ?? false
    }
    return host.hasSubscribed(link.handle, characteristic: value.characteristic)
  }

  private func answer(_ value: Value, as carrier: ValueCarrier, accepted: Bool) {
    if carrier == .write {
      // A write that never reached the stack: the app sees success from a broken stack, or an error without a link.
      if accepted, let link = link(value.link) { return endWrite(value, link, error: nil) }
      tellWritten(value, error: accepted ? nil : ATT.ErrorCode.unlikelyError.rawValue)
      return
    }
    switch value.place {
    case nil: tell(.submitted(value.link, characteristic: value.characteristic, accepted: accepted))
    case .own(let key):
      tell(.gatt(.notifySubmitted(value.link, key, type: value.characteristic, accepted: accepted)))
    case .remote(let handle):
      tell(.gatt(.submitted(value.link, handle, type: value.characteristic, accepted: accepted)))
    }
  }

  func tellWritten(_ value: Value, error: UInt8?) {
    if case .remote(let handle)? = value.place {
      tell(.gatt(.valueWritten(value.link, handle, type: value.characteristic, error: error)))
    } else {
      tell(.writeCompleted(value.link, characteristic: value.characteristic, error: error))
    }
  }

  /// The stack has the answer to a write of a link; those that it never saw have waited for those before them.
  func writeCompleted(_ link: AppLink, tag: Int = 0, error: ATT.ErrorCode?) {
    guard let index = link.writes.firstIndex(where: { $0.tag == tag }) else { return }
    link.end(.write)
    noticeStaleCache(link, error)
    if case .ofApp(let value) = link.writes.remove(at: index).content,
      !waitsForSecurity(error, link, { .write(value, $0) })
    {
      tellWritten(value, error: error?.rawValue)
    }
    while case .ended(let value, let error)? = link.writes.first?.content {
      link.writes.removeFirst()
      tellWritten(value, error: error)
    }
  }

  /// A value has come in for an app.
  func arrived(_ octets: consuming [UInt8], _ characteristic: BluetoothUUID, on handle: HCI.ConnectionHandle) {
    guard let id = id(of: handle) else { return }
    if faults.isEmpty {
      valuesReceived += 1
      tell(.valueReceived(id, characteristic: characteristic, octets: consume octets))
    } else {
      arrived(Value(link: id, characteristic: characteristic, octets: consume octets))
    }
  }

  func arrived(_ value: Value) {
    valuesReceived += 1
    if faults.isEmpty { deliver(value) } else { arrivedThroughFaults(value) }
  }

  private func arrivedThroughFaults(_ came: Value) {
    var value = came
    if let index = struck(.toDevice) {
      observe(faults[index].rule.fault, on: value)
      switch faults[index].rule.fault {
      case .drop: return answerKept(&value)
      case .duplicate:
        var first = value
        first.asked?.needsAnswer = false
        deliver(first)
      case .corrupt:
        deliver(corrupted(value))
        return
      case .reorder:
        answerKept(&value)
        faults[index].held = (value, nil)
        return
      }
    }
    deliver(value)
    overtaken(.toDevice, value.link) { value, _ in deliver(value) }
  }

  private func observe(_ fault: MessageFault, on value: Value) {
    surroundings.observe(
      FaultEvent.message(fault, value.link, characteristic: value.characteristic, octets: value.octets),
      device: index)
  }

  private func deliver(_ value: consuming Value) {
    switch (value.place, value.asked) {
    case (.own(let key)?, let asked?): deliver(value, key, asked)
    case (.remote(let handle)?, _):
      tell(.gatt(.notified(value.link, handle, type: value.characteristic, octets: value.octets)))
    default: tell(.valueReceived(value.link, characteristic: value.characteristic, octets: value.octets))
    }
  }

  /// The first active fault of a direction that hits this value; every one of that direction counts it.
  private func struck(_ direction: MessageFaultRule.Direction) -> Int? {
    var first: Int?
    for index in faults.indices where faults[index].rule.direction == direction {
      if faults[index].held == nil, faults[index].strikes(), first == nil { first = index }
    }
    return first
  }

  /// A held value follows the next one of its link.
  private func overtaken(
    _ direction: MessageFaultRule.Direction, _ link: LinkID, _ body: (Value, ValueCarrier?) -> Void
  ) {
    guard !faults.isEmpty else { return }
    for index in faults.indices where faults[index].rule.direction == direction {
      guard let held = faults[index].held, held.value.link == link else { continue }
      faults[index].held = nil
      body(held.value, held.carrier)
    }
  }

  /// What waits to be overtaken is lost with its link; nil: with all of them.
  func dropHeldValues(of link: LinkID?) {
    for index in faults.indices where link == nil || faults[index].held?.value.link == link {
      faults[index].held = nil
    }
  }

  /// The middle octet inverted: never the same value, always the same length.
  private func corrupted(_ value: Value) -> Value {
    var value = value
    if !value.octets.isEmpty { value.octets[value.octets.count / 2] ^= 0xFF }
    return value
  }
}
