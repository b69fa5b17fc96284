import SimKernel

/// Writes numbers and octets, one after the other, into memory that two processes share.
package struct SharedMemoryWriter {
  let memory: UnsafeMutableRawBufferPointer
  /// Whole words of 8 octets.
  var place: Int
  /// Octets of the longest text that is written whole.
  private static let textLimit = 500

  package init(memory: UnsafeMutableRawBufferPointer, place: Int = 0) {
    self.memory = memory
    self.place = place
  }

  package mutating func number(_ number: UInt64) {
    memory.storeBytes(of: number, toByteOffset: place, as: UInt64.self)
    place += 8
  }

  package mutating func octets(_ octets: some Collection<UInt8>) {
    number(UInt64(octets.count))
    UnsafeMutableRawBufferPointer(rebasing: memory[place...]).copyBytes(from: octets)
    place = (place + octets.count + 7) & ~7
  }

  package mutating func text(_ text: String) { octets(Array(text.utf8.prefix(Self.textLimit))) }
}

extension Extent {
  /// What was written with an attack.
  init(reading memory: UnsafeRawBufferPointer) {
    self = Extent(rawValue: memory.load(as: UInt64.self)) ?? .whole
  }
}

/// Reads what a `SharedMemoryWriter` wrote.
package struct SharedMemoryReader {
  let memory: UnsafeRawBufferPointer
  var place: Int

  package init(memory: UnsafeRawBufferPointer, place: Int = 0) {
    self.memory = memory
    self.place = place
  }

  package mutating func number() -> UInt64 {
    defer { place += 8 }
    return memory.load(fromByteOffset: place, as: UInt64.self)
  }

  package mutating func octets() -> [UInt8] {
    let count = Int(number())
    defer { place = (place + count + 7) & ~7 }
    return Array(memory[place..<place + count])
  }

  package mutating func text() -> String { String(decoding: octets(), as: UTF8.self) }
}

/// How far an execution goes.
enum Extent: UInt64 {
  /// The whole span.
  case whole
  /// As far as an attack is looked at.
  case look
}

extension Attack {
  /// Tells a child what to do. What people read of it, the origins, stays.
  func write(to memory: UnsafeMutableRawBufferPointer, _ extent: Extent) {
    memory.storeBytes(of: extent.rawValue, as: UInt64.self)
    var writer = SharedMemoryWriter(memory: memory, place: 8)
    writer.number(UInt64(strokes.count))
    for stroke in strokes {
      let (kind, first, second): (UInt64, Int, Int64) =
        switch stroke.manner {
        case .send(let span, let route): (0, route, span.nanoseconds)
        case .replace(let index): (1, index, 0)
        case .drop(let index): (2, index, 0)
        case .again(let index, let times): (3, index, Int64(times))
        case .late(let index, let span): (4, index, span.nanoseconds)
        }
      writer.number(kind)
      writer.number(UInt64(bitPattern: Int64(first)))
      writer.number(UInt64(bitPattern: second))
      writer.octets(stroke.octets)
    }
  }

  init(reading memory: UnsafeRawBufferPointer) {
    var reader = SharedMemoryReader(memory: memory, place: 8)
    strokes = (0..<reader.number()).map { _ in
      let kind = reader.number()
      let first = Int(Int64(bitPattern: reader.number()))
      let second = Int64(bitPattern: reader.number())
      let manner: Manner =
        switch kind {
        case 0: .send(after: .nanoseconds(second), route: first)
        case 1: .replace(first)
        case 2: .drop(first)
        case 3: .again(first, times: Int(second))
        default: .late(first, .nanoseconds(second))
        }
      return Stroke(manner, octets: reader.octets())
    }
  }
}
