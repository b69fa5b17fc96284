import BluetoothWire
import CaptureCheck
import SimKernel

/// Reads captures as recordings of a device.
enum RecordingReader {
  /// Why there is no recording, and what to write instead.
  struct Refusal: Error {
    var text: String
    /// Whether another device or link is to be named; else it is the file.
    var isAboutChoice = false
  }

  /// Which of the devices in a capture is meant.
  struct Choice {
    /// The 48 bits of its address.
    var address: UInt64?
    /// The index of a link, as `babbench check` counts.
    var link: Int?
  }

  /// - Parameters:
  ///   - path: of the file.
  ///   - shown: as messages call it.
  /// - Throws: a `Refusal`; damaged captures give what is before the damage, if that is a recording.
  static func read(_ path: String, shown: String, _ choice: Choice) throws(Refusal) -> Recording {
    let traffic = RecordedTraffic()
    let reader = TrafficReader(observers: [traffic])
    var damage: String?
    var count = 0
    do throws(CaptureRefusal) {
      let captures = try MergedCaptures(paths: [path])
      do throws(CaptureRefusal) {
        while let record = try captures.next() {
          reader.read(record, file: 0, at: captures.instant)
          count += 1
        }
      } catch {
        guard count > 0 else { throw error }
        damage = error.reason
      }
    } catch {
      throw Refusal(text: "“\(shown)” is no recording: \(error.reason)")
    }
    reader.finish()
    let server = try server(in: traffic, choice, shown)
    var recording = RecordingMaker.recording(of: server, in: traffic)
    if let damage { recording.notes.append("the capture is played up to packet \(count): \(damage)") }
    if traffic.isCut { recording.notes.append("the capture is played in part: it is too long") }
    return recording
  }

  private static func server(
    in traffic: RecordedTraffic, _ choice: Choice, _ shown: String
  ) throws(Refusal) -> RecordedServer {
    let servers = RecordedServer.all(in: traffic)
    if choice.address != nil || choice.link != nil { return try chosen(servers, traffic, choice, shown) }
    // The captured device itself answers too, as phones do when they are asked.
    let others = servers.filter { !$0.isCaptured }
    let meant = others.isEmpty ? servers : others
    if meant.count == 1 { return meant[0] }
    if servers.isEmpty {
      throw Refusal(
        text: "“\(shown)” shows no GATT server" + advertisers(traffic)
          + "; capture a connection of an app with the device, from its beginning")
    }
    throw Refusal(
      text: "“\(shown)” shows \(meant.count) GATT servers; write one of these beside it: " + list(meant))
  }

  private static func chosen(
    _ servers: [RecordedServer], _ traffic: RecordedTraffic, _ choice: Choice, _ shown: String
  ) throws(Refusal) -> RecordedServer {
    var found = servers
    if let bits = choice.address { found = found.filter { $0.addresses.contains { $0.bits == bits } } }
    if let link = choice.link {
      found = found.compactMap { server in
        var server = server
        server.links = server.links.filter { traffic.links[$0.place].link.index == link }
        return server.links.isEmpty ? nil : server
      }
      if found.count > 1 { found = found.filter { !$0.isCaptured } }
    }
    if let first = found.first { return first }
    if choice.link == nil, let address = traffic.advertisers.first(where: { $0.bits == choice.address }) {
      return RecordedServer(address: address, addresses: [address])
    }
    let text =
      servers.isEmpty
      ? "“\(shown)” shows no GATT server" + advertisers(traffic)
      : "“\(shown)” shows no such GATT server; write one of these: " + list(servers)
    throw Refusal(text: text, isAboutChoice: true)
  }

  private static let listed = 8

  private static func list(_ servers: [RecordedServer]) -> String {
    let texts = servers.prefix(listed).map { server in
      "“\(server.key)” (" + CountedNoun.text(server.answers, "answer or value", "answers and values")
        + (server.isCaptured ? ", of the captured device itself)" : ")")
    }
    return texts.joined(separator: ", ") + (servers.count > listed ? " and others" : "")
  }

  /// Devices that only advertise, for messages.
  private static func advertisers(_ traffic: RecordedTraffic) -> String {
    if traffic.advertisers.isEmpty { return "" }
    let names = traffic.advertisers.prefix(listed).map { address in
      let name = traffic.advertising(of: [address])?.name
      return "\(address)" + (name.map { " (\($0))" } ?? "")
    }
    return ", only advertising, of " + names.joined(separator: ", ")
      + (traffic.advertisers.count > listed ? " and others" : "")
  }
}
