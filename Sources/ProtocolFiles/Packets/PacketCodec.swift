import AppSeam
import BluetoothWire
import Conformance
import SimKernel

/// Packets of a protocol file to octets and back.
struct PacketCodec: Sendable {
  let form: ProtocolForm
  private let groups: [BluetoothUUID: Group]

  /// A packet, and its place among those of the file.
  private typealias Kind = (packet: ProtocolForm.Packet, place: Int)

  /// The packets of one characteristic.
  private struct Group {
    var kinds: [Kind]
    /// The member whose text tells all of them apart; empty: there is none.
    var tag: [ProtocolForm.Field.Member] = []
    var tagged: [String: [Kind]] = [:]

    init(_ kinds: [Kind]) {
      self.kinds = kinds
      let tags = kinds.map { $0.packet.tag }
      guard let first = tags[0], tags.allSatisfy({ $0?.path == first.path }) else { return }
      tag = first.path
      for (kind, own) in zip(kinds, tags) { tagged[own?.text ?? "", default: []].append(kind) }
    }
  }

  init(form: ProtocolForm) {
    self.form = form
    let kinds: [Kind] = form.packets.enumerated().map { ($0.element, $0.offset) }
    groups = Dictionary(grouping: kinds, by: \.packet.characteristic).mapValues { Group($0) }
  }

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
    // JSON is read once, whatever packet it is.
    var tree: JSONTree?
    let group = characteristic.flatMap { groups[$0] }
    let candidates =
      group?.kinds ?? (characteristic == nil ? form.packets.enumerated().map { ($0.element, $0.offset) } : [])
    var hasTree = false
    var likely = candidates
    if let group, !group.tag.isEmpty {
      (hasTree, tree) = (true, try? ProtocolForm.Packet.tree(octets))
      if let tree { likely = tree.text(at: group.tag).flatMap { group.tagged[$0] } ?? [] }
    }
    for (packet, place) in likely {
      if let sender, !packet.senders.contains(sender) { continue }
      // Reasons are written only where nothing fits.
      if case .json(let fields) = packet.body {
        if !hasTree { (hasTree, tree) = (true, try? ProtocolForm.Packet.tree(octets)) }
        if let tree, !ProtocolForm.Packet.hasConstants(tree, fields) { continue }
      }
      do throws(PacketRefusal) {
        switch packet.body {
        case .fields(let fields):
          var found = try packet.decodeBinary(octets, fields)
          found.kind = place
          return found
        case .json(let fields):
          let known = if let tree { tree } else { try ProtocolForm.Packet.tree(octets) }
          var found = try packet.decodeJSON(known, fields)
          found.kind = place
          return found
        }
      } catch {
        if error.offset >= refusal?.offset ?? 0 {
          refusal = PacketRefusal(reason: "as \(packet.name): " + error.reason, offset: error.offset)
        }
      }
    }
    throw refusal
      ?? whyNot(tree, candidates.map(\.packet).filter { packet in sender.map(packet.senders.contains) ?? true })
  }

  /// Why a JSON object is none of these.
  private func whyNot(_ tree: JSONTree?, _ candidates: [ProtocolForm.Packet]) -> PacketRefusal {
    guard let tree, let last = candidates.last(where: { if case .json = $0.body { true } else { false } }) else {
      return PacketRefusal(reason: "no packet is sent there")
    }
    do throws(PacketRefusal) {
      _ = try last.decodeJSON(tree, last.fields)
      return PacketRefusal(reason: "no packet is sent there")
    } catch {
      return PacketRefusal(reason: "as \(last.name): " + error.reason, offset: error.offset)
    }
  }
}

/// A codec that remembers the newest octets: what is sent to everybody is read once.
struct RememberingCodec {
  private struct Key: Equatable {
    var octets: [UInt8]
    var sender: AppRole?
    var characteristic: BluetoothUUID
  }

  private static let limit = 8

  let codec: PacketCodec
  private var entries: [(key: Key, outcome: Result<FilePacket, PacketRefusal>)] = []
  private var next = 0

  init(_ form: ProtocolForm) { codec = PacketCodec(form: form) }

  mutating func decode(
    _ octets: [UInt8], from sender: AppRole?, on characteristic: BluetoothUUID
  ) -> Result<FilePacket, PacketRefusal> {
    for place in entries.indices
    where entries[place].key.octets.isSame(as: octets) && entries[place].key.characteristic == characteristic
      && entries[place].key.sender == sender
    {
      return entries[place].outcome
    }
    let outcome: Result<FilePacket, PacketRefusal>
    do throws(PacketRefusal) {
      outcome = .success(try codec.decode(octets, from: sender, on: characteristic))
    } catch {
      outcome = .failure(error)
    }
    let entry = (Key(octets: octets, sender: sender, characteristic: characteristic), outcome)
    if entries.count < Self.limit { entries.append(entry) } else { entries[next] = entry }
    next = (next + 1) % Self.limit
    return outcome
  }
}

extension [UInt8] {
  fileprivate func isSame(as other: [UInt8]) -> Bool {
    withUnsafeBytes { own in other.withUnsafeBytes { own.isSame(as: $0) } }
  }
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
