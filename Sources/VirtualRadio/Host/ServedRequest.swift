import BluetoothWire

/// What a client asks of a server, as far as an owner may refuse it.
public enum ServedRequest: Hashable, Sendable {
  case exchangeMTU
  /// Find Information, Find By Type Value, Read By Type or Read By Group Type.
  case discovery
  case read
  /// A value is written, whole or a part of it.
  case write
  /// A Client Characteristic Configuration is written.
  case configuration
}

extension HostStack {
  /// Whether the owner refuses a request; the client has its answer then.
  func refuses(_ request: ATT.PDU, on link: Link) -> Bool {
    guard let refusal, let (kind, handle) = served(request), let code = refusal(kind, link.handle) else { return false }
    sendError(link, request.opcode, handle, code)
    return true
  }

  private func served(_ request: ATT.PDU) -> (ServedRequest, ATT.Handle)? {
    switch request {
    case .exchangeMTURequest: (.exchangeMTU, 0)
    case .findInformationRequest(let range), .findByTypeValueRequest(let range, _, _),
      .readByTypeRequest(let range, _), .readByGroupTypeRequest(let range, _):
      (.discovery, range.start)
    case .readRequest(let handle), .readBlobRequest(let handle, _): (.read, handle)
    case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles): (.read, handles.first ?? 0)
    case .writeRequest(let handle, _): (database.isConfiguration(handle) ? .configuration : .write, handle)
    case .prepareWriteRequest(let handle, _, _): (.write, handle)
    default: nil
    }
  }
}
