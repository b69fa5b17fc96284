import BluetoothWire
import VirtualRadio

extension ScenarioDecoder {
  /// A device that may direct its advertising at another one, with what the file says about that.
  struct Direction {
    /// Index among the expanded devices.
    var device: Int
    /// The value of `directed to`.
    var target: YAMLTree?
    /// Where a problem with it is noted.
    var location: SourceLocation
  }

  /// What the keys of a device say; nil when nothing is said of directed advertising.
  func direction(of device: Device, at index: Int, _ fields: Fields) -> Direction? {
    let target = fields["directed to"]
    guard target != nil || device.phone.advertising.kind.isDirected, !device.isBare, !hasUnknownKind(fields) else {
      return nil
    }
    return Direction(
      device: index, target: target, location: fields.keyLocation(target == nil ? "phone" : "directed to"))
  }

  /// Whether the kind of advertising is a word that means nothing, which has been noted.
  private func hasUnknownKind(_ fields: Fields) -> Bool {
    guard case .mapping(let entries)? = fields["phone"]?.value,
      case .scalar(let word, _)? = entries.first(where: { $0.key == "advertising kind" })?.value.value
    else { return false }
    return !KeyTable.advertisingKinds.contains { $0.name == word }
  }

  /// Gives a device the target of its advertising, once every device has its name.
  func direct(_ direction: Direction, in devices: inout [Device]) {
    let device = devices[direction.device]
    guard let target = direction.target else {
      note(
        direction.location,
        "\(device.name) has nobody to direct its advertising at; write “directed to: …” beside “phone”")
      return
    }
    guard device.phone.advertising.kind.isDirected else {
      let kinds = KeyTable.advertisingKinds
      let kind = kinds.first { $0.kind == device.phone.advertising.kind }?.name ?? ""
      let directed = kinds.filter(\.kind.isDirected).map { "“\($0.name)”" }.joined(separator: " or ")
      note(
        direction.location,
        "advertising of the kind “\(kind)” is for all; leave “directed to” out, or write \(directed) as the phone's "
          + "“advertising kind”")
      return
    }
    guard let name = choice(target, "device", from: devices.map(\.name)) else { return }
    if name == device.name {
      return note(target.location, "“\(name)” cannot direct its advertising at itself; write another device")
    }
    devices[direction.device].directedTo = name
  }
}
