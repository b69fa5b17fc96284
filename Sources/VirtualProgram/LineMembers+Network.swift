import AppSeam
import SimKernel

/// Reading what the network beside the radio tells, in the notation of Docs/Formats/app-seam.md.
extension LineMembers {
  /// Nil: no input of the network has this name.
  func networkInput(_ name: String) throws(ProgramEnd) -> NetworkInput? {
    switch name {
    case "net.listenerReady":
      .listenerReady(type: try text("type"), name: try text("instance"), port: Int(try number("port") as UInt16))
    case "net.listenerFailed": .listenerFailed(type: try text("type"), try reason())
    case "net.found":
      .found(
        try endpoint(), type: try text("type"), name: try text("instance"), interfaces: try interfaces(),
        record: has("record") ? try octets("record") : [])
    case "net.recordChanged": .recordChanged(try endpoint(), record: try octets("record"))
    case "net.changed": .changed(try endpoint(), interfaces: try interfaces())
    case "net.lost": .lost(try endpoint())
    case "net.incoming":
      .incoming(try connection(), try interface(text("interface"), "interface"), peer: try text("peer"))
    case "net.pathChanged": .pathChanged(try interfaces())
    default: try connectionInput(name)
    }
  }

  private func connectionInput(_ name: String) throws(ProgramEnd) -> NetworkInput? {
    switch name {
    case "net.ready": .ready(try connection(), try interface(text("interface"), "interface"))
    case "net.waiting": .waiting(try connection(), try reason())
    case "net.failed": .failed(try connection(), try reason())
    case "net.received": .received(try connection(), octets: try octets("octets"))
    case "net.ended": .ended(try connection())
    case "net.submitted": .submitted(try connection(), accepted: try flag("accepted"))
    case "net.room": .room(try connection())
    case "net.viable": .viable(try connection(), try flag("viable"))
    case "net.betterPath": .betterPath(try connection(), try flag("available"))
    case "net.cancelled": .cancelled(try connection())
    default: nil
    }
  }

  private func connection() throws(ProgramEnd) -> ConnectionID { ConnectionID(Int(try number("connection") as Int32)) }
  private func endpoint() throws(ProgramEnd) -> EndpointID { EndpointID(Int(try number("endpoint") as Int32)) }

  private func reason() throws(ProgramEnd) -> NetworkReason {
    let text = try text("reason")
    guard let reason = NetworkReason(rawValue: text) else { throw .notInProtocol("reason: \"\(text)\" is no reason") }
    return reason
  }

  private func interfaces() throws(ProgramEnd) -> [NetworkInterface] {
    var interfaces: [NetworkInterface] = []
    for text in try texts("interfaces") { interfaces.append(try interface(text, "interfaces")) }
    return interfaces
  }

  private func interface(_ text: String, _ name: String) throws(ProgramEnd) -> NetworkInterface {
    guard let interface = NetworkInterface(rawValue: text) else {
      throw .notInProtocol("\(name): \"\(text)\" is no interface")
    }
    return interface
  }
}
