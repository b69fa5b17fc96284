import Foundation

/// A packet of the other end, as far as a lobby needs it (wire.md 4).
struct ReceivedPacket {
  /// The payload's name decides, whatever the envelope says (4.6).
  var kind: String
  var sender: String
  var clock: [String: Int]
  var payload: [String: Any]

  init?(_ octets: Data) {
    // What is not UTF-8 reads as U+FFFD (4.31).
    let text = Data(String(decoding: octets, as: UTF8.self).utf8)
    guard octets.first == UInt8(ascii: "{"), let object = try? JSONSerialization.jsonObject(with: text),
      let packet = object as? [String: Any], packet["type"] is String, let sender = packet["senderId"] as? String,
      let clock = packet["vectorClock"] as? [String: Any], let payload = packet["payload"] as? [String: Any],
      let name = payload["type"] as? String, name.hasPrefix(PacketText.prefix)
    else { return nil }
    self.sender = sender
    self.clock = (clock["timestamps"] as? [String: Any] ?? [:]).compactMapValues { $0 as? Int }
    self.payload = payload
    kind = String(name.dropFirst(PacketText.prefix.count))
  }

  subscript(member: String) -> String? { payload[member] as? String }
  subscript(object: String, member: String) -> String? { (payload[object] as? [String: Any])?[member] as? String }
}
