public import CaptureFormats
import Judging
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
  }

  private let style: Style
  private let filter: InspectFilter
  private let collector: PacketCollector
  private let reader: TrafficReader

  /// - Parameter protocols: whose packets are looked for in values. The first one that knows a value of a link prints
  ///   all of that link.
  public init(filter: InspectFilter, style: Style, protocols: [any TrafficProtocol.Type]) {
    self.style = style
    self.filter = filter
    collector = PacketCollector(protocols: protocols, isVerbose: style.isVerbose)
    reader = TrafficReader(observers: [collector])
  }

  /// The lines of one record, each with its line feed; nil when the filter keeps it back.
  public func lines(_ record: CaptureRecord, file: Int, at instant: SimInstant) -> String? {
    collector.begin(record)
    reader.read(record, file: file, at: instant)
    let packet = collector.end()
    guard filter.lets(packet, number: record.number, at: instant) else { return nil }
    var layers = packet.layers
    if let wanted = style.layers {
      layers = layers.filter { wanted.contains($0.kind) }
      if layers.isEmpty { return nil }
    }
    var head = pad(String(record.number), 7) + "  " + pad(instant.microseconds, 12) + "  "
    if style.files.indices.contains(file) { head = style.files[file] + " " + head }
    head = dim(head) + packet.direction.padding(to: 4)
    head += (packet.links.first.map { "link \($0)" } ?? "").padding(to: 8)
    if !style.isVerbose { return head + layers.headline.map(paint).joined(separator: "  ") + "\n" }
    while head.hasSuffix(" ") { head.removeLast() }
    var text = head + "\n"
    for (depth, layer) in layers.enumerated() {
      let indent = String(repeating: " ", count: 4 + 2 * min(depth, 4))
      text += indent + paint(layer) + "\n"
      for line in layer.details { text += indent + "    " + dim(line) + "\n" }
    }
    return text
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  private func paint(_ layer: InspectedPacket.Layer) -> String {
    let text = ConsoleTable.oneLine(layer.text)
    guard style.isColoured else { return text }
    let colour =
      switch layer.kind {
      case .hci, .ll: "36"
      case .l2cap: "34"
      case .att: "32"
      case .app: "35"
      case .note: "33"
      }
    return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
  }

  private func dim(_ text: String) -> String { style.isColoured ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count)) + " "
  }
}
