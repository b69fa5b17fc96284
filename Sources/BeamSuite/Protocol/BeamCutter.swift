import BeamScribe
import Conformance

/// Finds BeamScribe's packets in what a host sends on a stream.
struct BeamCutter: ChartWords.StreamCutter {
  private var reader: FrameReader
  /// Octets that were looked at.
  private var offset = 0
  /// What there is of the frame that has begun, or of everything after what is no frame.
  private var begun: [UInt8] = []
  private var isBroken = false

  init(isMPC: Bool) { reader = FrameReader(isMPC ? .kindAndLength : .length) }

  mutating func receive(_ octets: [UInt8]) -> [ChartWords.Unit] {
    var units: [ChartWords.Unit] = []
    var rest = octets[...]
    while !rest.isEmpty {
      if isBroken {
        begun += rest
        offset += rest.count
        units.append(take("octets after what is no frame", isPacket: false))
        break
      }
      let piece = rest
      do throws(FrameRefusal) {
        let frame = try reader.next(&rest)
        note(piece, rest)
        guard let frame else { break }
        units.append(unit(frame))
      } catch {
        note(piece, rest)
        isBroken = true
        units.append(take("no frame: \(Self.words(error))", isPacket: false))
      }
    }
    return units
  }

  mutating func finish() -> ChartWords.Unit? {
    begun.isEmpty ? nil : take("a frame that has only begun", isPacket: false)
  }

  private mutating func note(_ before: ArraySlice<UInt8>, _ after: ArraySlice<UInt8>) {
    begun += before[before.startIndex..<after.startIndex]
    offset += before.count - after.count
  }

  private mutating func take(_ label: String, isPacket: Bool) -> ChartWords.Unit {
    defer { begun = [] }
    return ChartWords.Unit(octets: begun, label: label, isPacket: isPacket, end: offset)
  }

  private mutating func unit(_ frame: Frame) -> ChartWords.Unit {
    let head = begun.prefix(begun.count - frame.body.count)
    begun = []
    var unit = ChartWords.Unit(octets: frame.body, head: Array(head), label: "", isPacket: true, end: offset)
    guard frame.kind == .message else {
      unit.label = "\(frame.kind)"
      return unit
    }
    do throws(PacketRefusal) {
      (unit.label, unit.note) = Self.words(try BeamPacket(decoding: frame.body))
    } catch {
      unit.label = "no packet: \(error.reason.rawValue) at octet \(error.offset)"
      unit.isPacket = false
    }
    return unit
  }

  private static func words(_ refusal: FrameRefusal) -> String {
    switch refusal {
    case .empty: "its length is not that of its kind"
    case .tooLong(let length): "its length is \(length)"
    case .unknownKind(let kind): "its kind is \(kind)"
    }
  }

  /// What a packet is called, and what tells it from others of its kind.
  private static func words(_ packet: BeamPacket) -> (label: String, note: String) {
    switch packet {
    case .fullHistory(let history):
      let first = history.chunks.first.map { "\($0.sequence)–\(history.chunks.last?.sequence ?? 0)" }
      return ("fullHistory", (first ?? "empty") + " up to \(history.upToSequence)")
    case .liveChunk(let chunk): return (chunk.isFinal ? "liveChunk final" : "liveChunk partial", "\(chunk.sequence)")
    case .alert(let alert): return ("alert \(alert.rawValue)", "")
    }
  }
}
