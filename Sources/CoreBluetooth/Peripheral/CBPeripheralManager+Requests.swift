import AppSeam
import BluetoothWire

extension CBPeripheralManager {
  func answer(_ request: CBATTRequest, _ result: CBATTError.Code) {
    let arguments = [CallText.of(request), result.name]
    guard isReady(for: "respond(to:withResult:)", request.central, with: arguments), let phone else { return }
    phone.locked {
      guard let index = requests.firstIndex(where: { $0.request == request.request }) else {
        phone.remark(
          .misuse, .answeredTwice, "respond to a request that is answered already, or whose link has ended; ignored")
        return
      }
      let waiting = requests.remove(at: index)
      let error = result == .success ? nil : UInt8(truncatingIfNeeded: result.rawValue)
      let octets = waiting.read == nil || error != nil ? [] : Array(request.value ?? Data())
      if waiting.needsAnswer || error != nil { phone.ask(.gatt(.answer(request.request, value: octets, error: error))) }
    }
  }

  /// What the default methods of the delegate do.
  func refuseUnhandled(_ request: CBATTRequest, _ method: String) {
    phone?.remark(.misuse, .requestNotHandled, "a request came, and the delegate does not implement \(method)")
    respond(to: request, withResult: .requestNotSupported)
  }

  func readAsked(_ request: RequestID, _ link: PhoneLink, _ key: AttributeKey, offset: Int) {
    guard let characteristic = phone?.local.characteristic(key) else { return }
    requests.append(WaitingRequest(request: request, link: link.id, read: key, needsAnswer: true))
    let central = central(link.peer)
    call { [weak self] in
      guard let self else { return }
      let object = CBATTRequest(
        request: request, central: central, characteristic: characteristic, offset: offset, value: nil)
      tell("peripheralManager(_:didReceiveRead:)", central, with: [CallText.of(object)]) {
        $0.peripheralManager(self, didReceiveRead: object)
      }
    }
  }

  func writesAsked(_ request: RequestID, _ link: PhoneLink, _ parts: [WritePart], needsAnswer: Bool) {
    guard let phone else { return }
    requests.append(WaitingRequest(request: request, link: link.id, read: nil, needsAnswer: needsAnswer))
    let central = central(link.peer)
    let objects = parts.compactMap { part in
      phone.local.characteristic(part.attribute).map {
        CBATTRequest(
          request: request, central: central, characteristic: $0, offset: part.offset, value: Data(part.octets))
      }
    }
    call { [weak self] in
      guard let self else { return }
      let texts = objects.map { CallText.of($0) }.joined(separator: ", ")
      tell("peripheralManager(_:didReceiveWrite:)", central, with: ["[\(texts)]"]) {
        $0.peripheralManager(self, didReceiveWrite: objects)
      }
    }
  }
}
