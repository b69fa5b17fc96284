import AppSeam
import BluetoothWire

/// Packets of a protocol file to octets and back.
struct PacketCodec: Sendable {
  let form: ProtocolForm

  /// The first kind of packet that the octets are, among those that a sender may send on a characteristic; where none
  /// fits, why the one that fits furthest does not.
  ///
  /// - Parameters:
  ///   - sender: nil: anybody.
  ///   - characteristic: nil: any.
  func decode(
    _ octets: [UInt8], from sender: AppRole? = nil, on characteristic: BluetoothUUID? = nil
  ) throws(PacketRefusal) -> FilePacket {
    var refusal: PacketRefusal?
    for packet in form.packets {
      if let sender, !packet.senders.contains(sender) { continue }
      if let characteristic, packet.characteristic != characteristic { continue }
      do throws(PacketRefusal) {
        return try packet.decode(octets)
      } catch {
        if error.offset >= refusal?.offset ?? 0 {
          refusal = PacketRefusal(reason: "as \(packet.name): " + error.reason, offset: error.offset)
        }
      }
    }
    throw refusal ?? PacketRefusal(reason: "no packet is sent there")
  }

  func packet(named name: String) -> ProtocolForm.Packet? { form.packets.first { $0.name == name } }
}

extension ProtocolForm.Packet {
  func decode(_ octets: [UInt8]) throws(PacketRefusal) -> FilePacket {
    switch body {
    case .fields(let fields): try decodeBinary(octets, fields)
    case .json(let fields): try decodeJSON(octets, fields)
    }
  }

  /// - Parameter values: constants, lengths and checksums need not be given.
  func encode(_ values: [(name: String, value: FieldValue)]) throws(PacketRefusal) -> [UInt8] {
    switch body {
    case .fields(let fields):
      guard let ownLength, !values.contains(where: { $0.name == ownLength.field }) else {
        return try encodeBinary(values, fields)
      }
      // How long it is does not depend on what its length says.
      let count = try encodeBinary(values + [(ownLength.field, .number(0))], fields).count
      return try encodeBinary(values + [(ownLength.field, .number(Int64(count - ownLength.extra)))], fields)
    case .json(let fields): return try encodeJSON(values, fields)
    }
  }

  /// The number that begins so many octets after the packet does; nil: there is none, or nobody knows where it begins.
  func field(at place: Int) -> String? {
    var octets = 0
    for field in fields {
      guard case .integer(let form) = field.kind, field.presence == nil else { return nil }
      if octets == place { return field.constant == nil ? field.name : nil }
      octets += form.octets
    }
    return nil
  }
}
