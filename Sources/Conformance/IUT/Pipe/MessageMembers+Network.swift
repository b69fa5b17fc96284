import AppSeam
import SimKernel

/// Reading the words of the network beside the radio, in the notation of Docs/Formats/app-seam.md.
extension MessageMembers {
  private static let numbers: ClosedRange<Int64> = 0...Int64(Int32.max)

  private func connection() throws(MessageProblem) -> ConnectionID {
    ConnectionID(try int("connection", Self.numbers))
  }

  private func endpoint() throws(MessageProblem) -> EndpointID { EndpointID(try int("endpoint", Self.numbers)) }

  private func interface() throws(MessageProblem) -> NetworkInterface {
    try word("interface", NetworkInterface.allCases)
  }

  private func interfaces() throws(MessageProblem) -> [NetworkInterface] {
    try words("interfaces", NetworkInterface.allCases)
  }

  private func reason() throws(MessageProblem) -> NetworkReason { try word("reason", NetworkReason.allCases) }

  private func duration(_ name: String) throws(MessageProblem) -> SimDuration {
    .nanoseconds(try integer(name, 0...Self.numberLimit))
  }

  /// A TXT record; none where an optional one is missing.
  private func record(isOptional: Bool) throws(MessageProblem) -> [UInt8] {
    if isOptional, optional("record") == nil { return [] }
    let record = try octets("record")
    guard ServiceRecord.isValid(record) else {
      throw MessageProblem(
        place: "record",
        reason: "no TXT record: strings, each after an octet with its length, "
          + "of \(ServiceRecord.longest) octets at most")
    }
    return record
  }

  private func keepAlive() throws(MessageProblem) -> KeepAliveRequest? {
    guard let value = optional("keepAlive") else { return nil }
    do throws(MessageProblem) {
      let members = try MessageMembers(value)
      return KeepAliveRequest(
        idle: try members.duration("idle"), interval: try members.duration("interval"),
        count: try members.int("count", Self.numbers))
    } catch {
      throw error.inside("keepAlive")
    }
  }

  /// Nil: no input of the network has this name.
  func networkInput(_ name: String) throws(MessageProblem) -> NetworkInput? {
    switch name {
    case "net.listenerReady":
      return .listenerReady(
        type: try text("type"), name: try text("instance"), port: try int("port", 0...65_535))
    case "net.listenerFailed": return .listenerFailed(type: try text("type"), try reason())
    case "net.found":
      return .found(
        try endpoint(), type: try text("type"), name: try text("instance"), interfaces: try interfaces(),
        record: try record(isOptional: true))
    case "net.recordChanged": return .recordChanged(try endpoint(), record: try record(isOptional: false))
    case "net.changed": return .changed(try endpoint(), interfaces: try interfaces())
    case "net.lost": return .lost(try endpoint())
    case "net.incoming": return .incoming(try connection(), try interface(), peer: try text("peer"))
    case "net.ready": return .ready(try connection(), try interface())
    case "net.waiting": return .waiting(try connection(), try reason())
    case "net.failed": return .failed(try connection(), try reason())
    case "net.received": return .received(try connection(), octets: try octets("octets"))
    case "net.ended": return .ended(try connection())
    case "net.submitted": return .submitted(try connection(), accepted: try boolean("accepted"))
    case "net.room": return .room(try connection())
    case "net.viable": return .viable(try connection(), try boolean("viable"))
    case "net.betterPath": return .betterPath(try connection(), try boolean("available"))
    case "net.cancelled": return .cancelled(try connection())
    case "net.pathChanged": return .pathChanged(try interfaces())
    default: return nil
    }
  }

  /// Nil: no effect of the network has this name.
  func networkEffect(_ name: String) throws(MessageProblem) -> NetworkEffect? {
    switch name {
    case "net.listen":
      return .listen(
        ListenRequest(
          type: try text("type"), name: try text("instance"), peerToPeer: try boolean("peerToPeer"),
          keepAlive: try keepAlive(), record: try record(isOptional: true)))
    case "net.updateRecord": return .updateRecord(type: try text("type"), record: try record(isOptional: false))
    case "net.stopListening": return .stopListening(type: try text("type"))
    case "net.browse": return .browse(type: try text("type"), peerToPeer: try boolean("peerToPeer"))
    case "net.stopBrowsing": return .stopBrowsing(type: try text("type"))
    case "net.prime": return .prime(try duration("duration"))
    case "net.connect":
      return .connect(
        try connection(),
        ConnectRequest(
          endpoint: try endpoint(), interfaces: try interfaces(),
          timeout: optional("timeout") == nil ? nil : try duration("timeout"), keepAlive: try keepAlive()))
    case "net.send": return .send(try connection(), octets: try octets("octets"))
    case "net.finish": return .finish(try connection())
    case "net.cancel": return .cancel(try connection())
    case "net.read": return .read(try connection(), try boolean("on"))
    default: return nil
    }
  }

  /// Every name that an effect of the network may have.
  static let networkEffectNames = [
    "net.listen", "net.updateRecord", "net.stopListening", "net.browse", "net.stopBrowsing", "net.prime",
    "net.connect", "net.send", "net.finish", "net.cancel", "net.read",
  ]
}
