import AppSeam
import BluetoothWire
import SimKernel

/// Writing what an app asks of the network beside the radio.
extension AnswerLine {
  /// The members of the word, without braces.
  static func members(of word: NetworkEffect) -> String {
    switch word {
    case .listen(let request):
      service("net.listen", request.type)
        + ",\"instance\":\(quoted(request.name)),\"peerToPeer\":\(request.peerToPeer),\"keepAlive\":"
        + members(of: request.keepAlive)
        + (request.record.isEmpty ? ",\"record\":null" : record(request.record))
    case .updateRecord(let type, let octets): service("net.updateRecord", type) + record(octets)
    case .stopListening(let type): service("net.stopListening", type)
    case .browse(let type, let peerToPeer): service("net.browse", type) + ",\"peerToPeer\":\(peerToPeer)"
    case .stopBrowsing(let type): service("net.stopBrowsing", type)
    case .prime(let duration): "\"name\":\"net.prime\",\"duration\":\(duration.nanoseconds)"
    case .connect(let id, let request):
      connection("net.connect", id)
        + ",\"endpoint\":\(request.endpoint.rawValue),\"interfaces\":["
        + request.interfaces.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        + "],\"timeout\":\(request.timeout.map { "\($0.nanoseconds)" } ?? "null"),\"keepAlive\":"
        + members(of: request.keepAlive)
    case .send(let id, let octets): connection("net.send", id) + ",\"octets\":\"\(String(hexadecimal: octets))\""
    case .finish(let id): connection("net.finish", id)
    case .cancel(let id): connection("net.cancel", id)
    case .read(let id, let isOn): connection("net.read", id) + ",\"on\":\(isOn)"
    }
  }

  private static func record(_ octets: [UInt8]) -> String { ",\"record\":\"\(String(hexadecimal: octets))\"" }

  private static func service(_ name: String, _ type: String) -> String {
    "\"name\":\"\(name)\",\"type\":\(quoted(type))"
  }

  private static func connection(_ name: String, _ id: ConnectionID) -> String {
    "\"name\":\"\(name)\",\"connection\":\(id.rawValue)"
  }

  private static func members(of keepAlive: KeepAliveRequest?) -> String {
    guard let keepAlive else { return "null" }
    return "{\"idle\":\(keepAlive.idle.nanoseconds),\"interval\":\(keepAlive.interval.nanoseconds),"
      + "\"count\":\(keepAlive.count)}"
  }
}
