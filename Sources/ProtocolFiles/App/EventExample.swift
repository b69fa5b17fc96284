import AppSeam
import BluetoothWire
import SimKernel

/// Something that an engine does by itself so that an event of a claim happens: it breaks a claim that says “never”.
enum EventExample: Sendable {
  case packet([UInt8], on: BluetoothUUID)
  case report(FreeReport)

  /// - Parameter values: of some fields, in place of what the conditions ask for.
  /// - Returns: nil where no engine does it, or where the file's own fields do not allow it.
  init?(
    of event: EventForm, in form: ProtocolForm, role: AppRole, values: [(name: String, value: FieldValue)] = []
  ) {
    var given = values
    for condition in event.conditions where !given.contains(where: { $0.name == condition.field }) {
      guard let value = condition.example else { return nil }
      given.append((condition.field, value))
    }
    switch event.verb {
    case .shows:
      guard let word = form.reports.first(where: { $0.name == event.name }) else { return nil }
      let shown = word.values.map { value in
        FreeValue(value.name, given.first { $0.name == value.name }?.value.text ?? value.type.example)
      }
      let report = FreeReport(event.name, shown)
      guard FileEvent(verb: .shows, name: event.name, device: 0, values: shown.fields).fits(event) else { return nil }
      self = .report(report)
    case .sends:
      guard let packet = form.packets.first(where: { $0.name == event.name }),
        let octets = try? packet.encode(packet.completed(given)),
        let read = try? PacketCodec(form: form).decode(octets, from: role, on: packet.characteristic),
        FileEvent(verb: .sends, name: read.name, device: 0, values: read.fields).fits(event)
      else { return nil }
      self = .packet(octets, on: packet.characteristic)
    case .hears, .does, .links, .unlinks, .publishes, .advertises, .scans, .connects, .stops: return nil
    }
  }

  /// Octets that no packet of the file begins with, in place of one; nil: all octets are packets.
  init?(spoiling packet: ProtocolForm.Packet, in form: ProtocolForm, role: AppRole) {
    guard let octets = try? packet.encode(packet.completed([])) else { return nil }
    let codec = PacketCodec(form: form)
    // What the framing cannot carry is no value at all.
    let framing = form.characteristic(packet.characteristic)?.framing ?? .none
    let ends = octets.indices.reversed().map { place in
      var changed = octets
      changed[place] ^= 0xFF
      return changed
    }
    let spoiled = ([octets + [0xFF], octets.dropLast()] + ends + [[]]).first { octets in
      var cutter = FileCutter(framing)
      return (try? codec.decode(octets, from: role, on: packet.characteristic)) == nil
        && (try? cutter.values(of: octets, attMTU: 517)) != nil
    }
    guard let spoiled else { return nil }
    self = .packet(spoiled, on: packet.characteristic)
  }
}

extension EventForm.Condition {
  /// A value for which it holds; nil: another event decides.
  fileprivate var example: FieldValue? {
    guard case .constant(let text) = operand else { return nil }
    guard let bound = TypeReader.number(text) else {
      return comparison == .equal ? .text(text) : comparison == .notEqual ? FieldValue.text(text).another : nil
    }
    let number =
      switch comparison {
      case .equal, .atMost, .atLeast, .has, .lacks: bound
      case .less: bound - 1
      case .more, .notEqual: bound + 1
      }
    return isLength ? .text(String(repeating: "x", count: Int(clamping: max(0, min(number, 512))))) : .number(number)
  }
}

extension ProtocolForm.ValueType {
  fileprivate var example: String {
    switch self {
    case .text: "x"
    case .number: "1"
    case .flag: "yes"
    case .octets: "00"
    }
  }
}
