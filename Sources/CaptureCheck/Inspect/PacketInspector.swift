public import CaptureFormats
public import SimKernel

/// Puts packets into words, one after the other: a line each, or a tree.
///
/// Memory is that of `TrafficReader`, and of the printers of protocols.
public final class PacketInspector {
  /// How much of each packet is shown.
  public struct Style: Sendable {
    /// All fields of every layer, indented, instead of one line.
    public var isVerbose = false
    /// Only these, and only packets that have one of them; nil shows all.
    public var layers: [InspectLayer]?
    public var isColoured = false
    /// One per capture when there are several.
    public var files: [String] = []
    public init() {}

    fileprivate var depth: PacketCollector.Depth { isVerbose ? .fields : layers == nil ? .headline : .layers }
  }

  private let style: Style
  private let filter: InspectFilter
  private let collector: PacketCollector
  private let reader: TrafficReader

  /// - Parameter protocols: whose packets are looked for in values. The first one that knows a value of a link prints
  ///   all of that link.
  public convenience init(filter: InspectFilter, style: Style, protocols: [SpokenProtocol]) {
    self.init(filter: filter, style: style, protocols: protocols, observers: [])
  }

  /// - Parameter captures: whose records will be put into words, and whose keys name devices.
  package convenience init(
    filter: InspectFilter, style: Style, protocols: [SpokenProtocol], of captures: MergedCaptures
  ) {
    self.init(
      filter: filter, style: style, protocols: protocols, observers: [], identities: captures.keys.identities,
      viewpoints: captures.viewpoints)
  }

  /// - Parameter observers: see everything too, each thing after it was put into words.
  init(
    filter: InspectFilter, style: Style, protocols: [SpokenProtocol], observers: [any TrafficObserver],
    identities: IdentityBook? = nil, viewpoints: [Int] = []
  ) {
    self.style = style
    self.filter = filter
    collector = PacketCollector(protocols: protocols, depth: style.depth)
    reader = TrafficReader(
      observers: [collector] + observers, identities: identities, viewpoints: viewpoints)
  }

  /// What is to be said of encryption that was read, or could not be; to be asked for at the end.
  package func notes(on captures: MergedCaptures) -> [String] {
    Checker.notes(on: captures.decryptions, captures.keys, links: reader.links).map(\.text)
  }

  /// Appends the lines of one record, each with its line feed.
  /// - Returns: false when the filter keeps it back.
  public func append(_ record: CaptureRecord, file: Int, at instant: SimInstant, to text: inout PacketText) -> Bool {
    collector.begin(record)
    reader.read(record, file: file, at: instant)
    let packet = collector.end()
    guard filter.lets(packet, number: record.number, at: instant) else { return false }
    if let wanted = style.layers {
      packet.layers.removeAll { !wanted.contains($0.kind) }
      if packet.layers.isEmpty { return false }
    }
    dim(&text) { text in
      if style.files.indices.contains(file) {
        text.append(verbatim: style.files[file])
        text.pad(1)
      }
      text.append(record.number, width: 7)
      text.pad(2)
      text.append(instant, width: 12)
      text.pad(2)
    }
    text.append(width: 5) { $0.appendLiteral(packet.direction.text) }
    text.append(width: 9) { text in
      if let link = packet.links.first {
        text.appendLiteral("link ")
        text.appendInterpolation(link)
      } else if let stream = packet.stream {
        text.appendLiteral("tcp ")
        text.appendInterpolation(stream)
      }
    }
    if style.isVerbose {
      text.trim()
      text.appendLiteral("\n")
      appendTree(packet, to: &text)
    } else {
      appendHeadline(packet, to: &text)
    }
    return true
  }

  /// One record without number, time and direction.
  package struct Words {
    /// One line.
    package var headline: String
    /// All layers with their fields, each line with its line feed.
    package var tree: String
    /// The highest layer that is no remark.
    var top: String
    /// What an app's printer said of its values.
    var spoken: [PrintedPacket]
  }

  /// The filter is not asked.
  package func words(_ record: CaptureRecord, file: Int, at instant: SimInstant) -> Words {
    collector.begin(record)
    reader.read(record, file: file, at: instant)
    let packet = collector.end()
    var headline = PacketText()
    var tree = PacketText()
    appendHeadline(packet, to: &headline)
    appendTree(packet, to: &tree)
    let top = packet.layers.last { $0.kind != .note && $0.kind.height < InspectLayer.app("").height }
    return Words(
      headline: String(decoding: headline.octets.dropLast(), as: UTF8.self),
      tree: String(decoding: tree.octets, as: UTF8.self), top: top?.text.description ?? "", spoken: packet.spoken)
  }

  /// One record that nobody wants to see: what comes after it needs what it says.
  func follow(_ record: CaptureRecord, file: Int, at instant: SimInstant) {
    let depth = collector.depth
    collector.depth = .headline
    defer { collector.depth = depth }
    collector.begin(record)
    reader.read(record, file: file, at: instant)
  }

  var adapters: [TrafficAdapter] { reader.adapters }

  private func appendHeadline(_ packet: InspectedPacket, to text: inout PacketText) {
    let shown = packet.headline
    for index in shown {
      if index > shown.lowerBound { text.appendLiteral("  ") }
      paint(packet.layers[index], to: &text)
    }
    text.appendLiteral("\n")
  }

  private func appendTree(_ packet: InspectedPacket, to text: inout PacketText) {
    for (depth, layer) in packet.layers.enumerated() {
      let indent = 4 + 2 * min(depth, 4)
      text.pad(indent)
      paint(layer, to: &text)
      text.appendLiteral("\n")
      for line in layer.details {
        text.pad(indent + 4)
        dim(&text) { $0.append(verbatim: line) }
        text.appendLiteral("\n")
      }
    }
  }

  private func paint(_ layer: InspectedPacket.Layer, to text: inout PacketText) {
    guard style.isColoured else { return text.append(layer.text) }
    switch layer.kind {
    case .hci, .ll, .ip: text.appendLiteral("\u{1B}[36m")
    case .l2cap, .tcp, .udp: text.appendLiteral("\u{1B}[34m")
    case .att, .dns: text.appendLiteral("\u{1B}[32m")
    case .app: text.appendLiteral("\u{1B}[35m")
    case .note: text.appendLiteral("\u{1B}[33m")
    }
    text.append(layer.text)
    text.appendLiteral("\u{1B}[0m")
  }

  private func dim(_ text: inout PacketText, _ append: (inout PacketText) -> Void) {
    if style.isColoured { text.appendLiteral("\u{1B}[2m") }
    append(&text)
    if style.isColoured { text.appendLiteral("\u{1B}[0m") }
  }
}
