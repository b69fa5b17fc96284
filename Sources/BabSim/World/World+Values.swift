import BluetoothWire
import SimKernel
import VirtualRadio

/// A value on its way between an app and a link.
struct Value {
  var link: LinkID
  var characteristic: BluetoothUUID
  var octets: [UInt8]
}

enum ValueCarrier {
  case notification, writeCommand, write
}

/// Values down to the host stack and up to the app, and the broken stacks in between.
extension World {
  func submit(_ value: Value, as carrier: ValueCarrier, _ node: DeviceNode) {
    guard let link = node.link(value.link) else {
      answer(value, as: carrier, node, accepted: false)
      return
    }
    if !node.faults.isEmpty, let index = struck(node, .fromDevice) {
      note(
        .message(node.faults[index].rule.fault, value.link, characteristic: value.characteristic, octets: value.octets),
        node)
      switch node.faults[index].rule.fault {
      case .drop:
        answer(value, as: carrier, node, accepted: true)
        return
      case .duplicate:
        send(value, as: carrier, link, node, isEcho: true)
      case .corrupt:
        send(corrupted(value), as: carrier, link, node)
        return
      case .reorder:
        node.faults[index].held = (value.link, value.characteristic, value.octets)
        answer(value, as: carrier, node, accepted: true)
        return
      }
    }
    send(value, as: carrier, link, node)
    overtaken(node, .fromDevice, value.link) { send($0, as: carrier, link, node, isEcho: true) }
  }

  private func send(
    _ value: Value, as carrier: ValueCarrier, _ link: AppLink, _ node: DeviceNode, isEcho: Bool = false
  ) {
    let accepted: Bool
    switch carrier {
    case .notification:
      accepted = node.host.notify(link.handle, characteristic: value.characteristic, value: value.octets)
    case .writeCommand:
      accepted = node.host.writeWithoutResponse(link.handle, characteristic: value.characteristic, value: value.octets)
    case .write:
      link.writes.append(!isEcho)
      node.host.write(link.handle, characteristic: value.characteristic, value: value.octets)
      node.valuesSent += 1
      return
    }
    if accepted { node.valuesSent += 1 }
    if !isEcho { answer(value, as: carrier, node, accepted: accepted) }
  }

  private func answer(_ value: Value, as carrier: ValueCarrier, _ node: DeviceNode, accepted: Bool) {
    if carrier == .write {
      // A write that never reached the stack: the app sees success from a broken stack, or an error without a link.
      tell(
        node,
        .writeCompleted(
          value.link, characteristic: value.characteristic,
          error: accepted ? nil : ATT.ErrorCode.unlikelyError.rawValue))
    } else {
      tell(node, .submitted(value.link, characteristic: value.characteristic, accepted: accepted))
    }
  }

  /// A value has come in for an app.
  func arrived(_ value: Value, _ node: DeviceNode) {
    node.valuesReceived += 1
    if !node.faults.isEmpty, let index = struck(node, .toDevice) {
      note(
        .message(node.faults[index].rule.fault, value.link, characteristic: value.characteristic, octets: value.octets),
        node)
      switch node.faults[index].rule.fault {
      case .drop: return
      case .duplicate: deliver(value, node)
      case .corrupt:
        deliver(corrupted(value), node)
        return
      case .reorder:
        node.faults[index].held = (value.link, value.characteristic, value.octets)
        return
      }
    }
    deliver(value, node)
    overtaken(node, .toDevice, value.link) { deliver($0, node) }
  }

  private func deliver(_ value: Value, _ node: DeviceNode) {
    tell(node, .valueReceived(value.link, characteristic: value.characteristic, octets: value.octets))
  }

  /// The first active fault of a direction that hits this value; every one of that direction counts it.
  private func struck(_ node: DeviceNode, _ direction: MessageFaultRule.Direction) -> Int? {
    var first: Int?
    for index in node.faults.indices where node.faults[index].rule.direction == direction {
      if node.faults[index].held == nil, node.faults[index].strikes(), first == nil { first = index }
    }
    return first
  }

  /// A held value follows the next one of its link.
  private func overtaken(
    _ node: DeviceNode, _ direction: MessageFaultRule.Direction, _ link: LinkID, _ body: (Value) -> Void
  ) {
    guard !node.faults.isEmpty else { return }
    for index in node.faults.indices where node.faults[index].rule.direction == direction {
      guard let held = node.faults[index].held, held.link == link else { continue }
      node.faults[index].held = nil
      body(Value(link: held.link, characteristic: held.characteristic, octets: held.octets))
    }
  }

  /// The middle octet inverted: never the same value, always the same length.
  private func corrupted(_ value: Value) -> Value {
    var value = value
    if !value.octets.isEmpty { value.octets[value.octets.count / 2] ^= 0xFF }
    return value
  }
}
