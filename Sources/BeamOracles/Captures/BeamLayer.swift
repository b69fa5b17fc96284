import BeamScribe
import BluetoothWire
import CaptureCheck
import Judging
import SimKernel

/// The packets of BeamScribe inside the octets of a stream, for `inspect`.
///
/// Memory: a frame that has begun, for each direction of at most `flowLimit` streams.
final class BeamLayer: PacketPrinter {
  private struct Flow {
    let stream: Int
    let side: TrafficStream.Side
    var reader: FrameReader
    var isBroken = false
  }

  /// More streams at once are not put into words.
  private static let flowLimit = 64

  private var flows: [Flow] = []

  func packet(in value: PrintedValue) -> PrintedPacket? { nil }
  func name(of uuid: BluetoothUUID) -> String? { nil }
  func close(link: Int) {}

  func lose(stream: Int, from side: TrafficStream.Side?) {
    flows.removeAll { $0.stream == stream && (side == nil || $0.side == side) }
  }

  func packets(in octets: PrintedOctets) -> [PrintedPacket]? {
    guard let place = place(of: octets) else { return nil }
    if flows[place].isBroken { return [] }
    var packets: [PrintedPacket] = []
    var rest = octets.octets
    do throws(FrameRefusal) {
      while let frame = try flows[place].reader.next(&rest) { packets.append(Self.words(frame)) }
    } catch {
      flows[place].isBroken = true
      packets.append(PrintedPacket(text: "BeamScribe no frame: \(error.words)", details: []))
    }
    return packets
  }

  private func place(of octets: PrintedOctets) -> Int? {
    let known = flows.firstIndex { $0.stream == octets.stream.index && $0.side == octets.side }
    if let known { return known }
    guard flows.count < Self.flowLimit, let format = Self.format(octets.octets) else { return nil }
    flows.append(Flow(stream: octets.stream.index, side: octets.side, reader: FrameReader(format)))
    return flows.count - 1
  }

  /// How octets begin that are frames; nil where they do not look like any.
  private static func format(_ octets: ArraySlice<UInt8>) -> Frame.Format? {
    let head = Array(octets.prefix(6))
    if head.count >= 5, head[0] == 0, head[1] <= 0x10, head[4] == UInt8(ascii: "{") { return .length }
    let isMessage = head.count == 6 && head[0] == 1 && head[1] == 0 && head[5] == UInt8(ascii: "{")
    let isControl = head.count == 5 && (2...5).contains(head[0]) && head[1...].allSatisfy { $0 == 0 }
    return isMessage || isControl ? .kindAndLength : nil
  }

  private static func words(_ frame: Frame) -> PrintedPacket {
    guard frame.kind == .message else {
      return PrintedPacket(text: "BeamScribe \(frame.kind)", details: [], name: "\(frame.kind)")
    }
    let octets = CountedNoun.text(frame.body.count, "octet")
    let details = [ConsoleTable.oneLine(String(decoding: frame.body.prefix(4_096), as: UTF8.self))]
    do throws(PacketRefusal) {
      let packet = try BeamPacket(decoding: frame.body)
      return PrintedPacket(
        text: "BeamScribe \(words(packet)), \(octets)", details: details, name: packet.kind.rawValue)
    } catch {
      return PrintedPacket(
        text: "BeamScribe \(octets) refused: \(error.reason.rawValue) at octet \(error.offset)", details: details)
    }
  }

  private static func words(_ packet: BeamPacket) -> String {
    switch packet {
    case .fullHistory(let history):
      "fullHistory of \(CountedNoun.text(history.chunks.count, "final")) up to \(history.upToSequence)"
    case .liveChunk(let chunk):
      "liveChunk \(chunk.isFinal ? "final" : "partial") \(chunk.sequence) “\(ConsoleTable.oneLine(chunk.text))”"
    case .alert(let alert): "alert \(alert.rawValue)"
    }
  }
}
