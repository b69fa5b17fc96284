import AppSeam
import SimKernel

/// Reading the words of the network beside the radio, in the notation of Docs/Formats/app-seam.md.
extension MessageMembers {
  private func duration(_ name: String) throws(MessageProblem) -> SimDuration {
    .nanoseconds(try integer(name, 0...Self.numberLimit))
  }

  package func record(_ name: String) throws(MessageProblem) -> [UInt8] {
    let record = try octets(name)
    guard ServiceRecord.isValid(record) else {
      throw MessageProblem(
        place: name,
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
        count: try members.index("count"))
    } catch {
      throw error.inside("keepAlive")
    }
  }

  /// Nil: no effect of the network has this name.
  func networkEffect(_ name: String) throws(MessageProblem) -> NetworkEffect? {
    switch name {
    case "net.listen":
      return .listen(
        ListenRequest(
          type: try text("type"), name: try text("instance"), peerToPeer: try boolean("peerToPeer"),
          keepAlive: try keepAlive(), record: has("record") ? try record("record") : []))
    case "net.updateRecord": return .updateRecord(type: try text("type"), record: try record("record"))
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
