import BluetoothWire
import SimKernel

/// Puts the values of one direction of one characteristic together, and cuts packets into values.
struct FileAssembler: Sendable {
  /// Octets that wait for the rest of their packet are at most so many; after more, reading starts again.
  static let waitingLimit = 65_536
  /// Packets that wait for fragments; the one begun first makes room.
  static let packetLimit = 16

  enum Outcome: Hashable, Sendable {
    case packet([UInt8], number: Int)
    /// What came can never be a packet.
    case dropped(String)
  }

  fileprivate struct Parts {
    var id: Int64
    /// In the order of their places.
    var bodies: [(index: Int, body: ArraySlice<UInt8>)] = []
    var count: Int?
    var size: Int?
    var octets = 0
  }

  private let framing: FramingForm
  private var stream: [UInt8] = []
  private var waiting: [Parts] = []
  private var packets = 0

  init(_ framing: FramingForm) { self.framing = framing }

  /// Octets that wait for the rest of their packet.
  var waitingOctets: Int { waiting.reduce(stream.count) { $0 + $1.octets } }
  /// Whether something has begun and is not whole.
  var isMidPacket: Bool { !stream.isEmpty || !waiting.isEmpty }

  mutating func receive(_ value: [UInt8]) -> [Outcome] {
    switch framing {
    case .none: return [packet(value)]
    case .lines: return receiveLines(value)
    case .length(let form):
      let length = FramingForm.OwnLength(integer: form, place: 0, extra: form.octets, start: [])
      return receive(value, length, drops: form.octets)
    case .inside(let length): return receive(value, length, drops: 0)
    case .fragments(let header): return receive(value, header).map { [$0] } ?? []
    }
  }

  private mutating func packet(_ octets: [UInt8]) -> Outcome {
    packets += 1
    return .packet(octets, number: packets)
  }

  private mutating func append(_ value: [UInt8]) -> Outcome? {
    stream += value
    guard stream.count > Self.waitingLimit else { return nil }
    stream = []
    return .dropped("more than \(Self.waitingLimit) octets without the end of a packet")
  }

  private mutating func receiveLines(_ value: [UInt8]) -> [Outcome] {
    if let drop = append(value) { return [drop] }
    var outcomes: [Outcome] = []
    while let end = stream.firstIndex(of: 0x0A) {
      var line = Array(stream[..<end])
      if line.last == 0x0D { line.removeLast() }
      stream.removeFirst(end + 1)
      outcomes.append(packet(line))
    }
    return outcomes
  }

  /// - Parameter count: octets at the beginning of a packet that are not handed on.
  private mutating func receive(
    _ value: [UInt8], _ length: FramingForm.OwnLength, drops count: Int
  ) -> [Outcome] {
    if let drop = append(value) { return [drop] }
    var outcomes: [Outcome] = []
    let head = max(length.start.count, length.place + length.integer.octets)
    while true {
      while !stream.isEmpty, !stream.starts(with: length.start.prefix(stream.count)) { stream.removeFirst() }
      guard stream.count >= head else { return outcomes }
      let number = length.integer.read(stream[length.place...])
      let end = Int(clamping: number) + length.extra
      guard number >= 0, (max(head, count)...Self.waitingLimit).contains(end) else {
        stream = []
        outcomes.append(.dropped("a length of \(CountedNoun.text(Int(clamping: number), "octet"))"))
        return outcomes
      }
      guard stream.count >= end else { return outcomes }
      outcomes.append(packet(Array(stream[count..<end])))
      stream.removeFirst(end)
    }
  }

  private mutating func receive(_ value: [UInt8], _ header: [FramingForm.FragmentField]) -> Outcome? {
    let length = header.reduce(0) { $0 + $1.integer.octets }
    guard value.count >= length else { return .dropped("a value of \(value.count) octets has no fragment header") }
    let numbers = FragmentNumbers(value, header)
    if numbers.isWhole, numbers.index ?? 0 == 0, !waiting.contains(where: { $0.id == numbers.id }) {
      packets += 1
      return .packet(Array(value[length...]), number: packets)
    }
    let id = numbers.id
    if let found = waiting.firstIndex(where: { $0.id == id }) {
      if found < waiting.count - 1 { waiting.append(waiting.remove(at: found)) }
    } else {
      waiting.append(Parts(id: id))
    }
    let place = waiting.count - 1
    if let reason = waiting[place].take(value[length...], numbers) {
      waiting.removeLast()
      return .dropped(reason)
    }
    if waiting[place].isWhole {
      packets += 1
      return .packet(waiting.removeLast().whole, number: Int(clamping: id))
    }
    guard waiting[place].octets <= Self.waitingLimit else {
      waiting.removeLast()
      return .dropped("packet \(id) has more than \(Self.waitingLimit) octets")
    }
    if waiting.count > Self.packetLimit {
      let first = waiting.removeFirst()
      return .dropped("packet \(first.id) is not whole, and \(Self.packetLimit) others have begun after it")
    }
    return nil
  }
}

extension FileAssembler.Parts {
  fileprivate var isWhole: Bool {
    count.map { bodies.count >= $0 } ?? size.map { octets >= $0 } ?? false
  }

  fileprivate var whole: [UInt8] {
    var whole: [UInt8] = []
    whole.reserveCapacity(octets)
    for body in bodies { whole += body.body }
    return whole
  }

  /// - Returns: why the packet can never be whole; nil: it can.
  fileprivate mutating func take(_ body: ArraySlice<UInt8>, _ numbers: FragmentNumbers) -> String? {
    let index = Int(clamping: numbers.index ?? Int64(bodies.count))
    if let said = numbers.count {
      guard said > 0, index >= 0, Int64(index) < said else { return "fragment \(index) of \(said)" }
      if let count, Int64(count) != said { return "fragments of packet \(id) say counts \(count) and \(said)" }
      count = Int(clamping: said)
    }
    if let said = numbers.size { size = Int(clamping: said) }
    if numbers.isLast { count = index + 1 }
    // They come in order mostly.
    if bodies.last.map({ $0.index < index }) ?? true {
      bodies.append((index, body))
    } else {
      let place = bodies.firstIndex { $0.index >= index } ?? 0
      if bodies[place].index == index {
        return bodies[place].body == body ? nil : "fragment \(index) of packet \(id) came with two contents"
      }
      bodies.insert((index, body), at: place)
    }
    octets += body.count
    return nil
  }
}

/// Cuts packets into values, for one direction of one characteristic.
struct FileCutter: Sendable {
  private let framing: FramingForm
  private var next: Int64

  /// - Parameter first: the number of the first packet, where the framing has numbers.
  init(_ framing: FramingForm, first: Int64 = 0) {
    self.framing = framing
    next = first
  }

  /// - Parameter attMTU: values are at most `attMTU` − 3 and 512 octets long where the framing can cut.
  /// - Throws: what cannot be sent.
  mutating func values(of packet: [UInt8], attMTU: Int) throws(PacketRefusal) -> [[UInt8]] {
    let room = min(attMTU - 3, 512)
    switch framing {
    case .none: return [packet]
    case .lines: return Self.chunks(packet + [0x0A], room)
    case .length(let form):
      guard form.range.contains(Int64(packet.count)) else {
        throw PacketRefusal(reason: "\(packet.count) octets are more than the length can say")
      }
      return Self.chunks(form.write(Int64(packet.count)) + packet, room)
    case .inside(let length):
      guard packet.count >= length.place + length.integer.octets, packet.starts(with: length.start),
        length.integer.read(packet[length.place...]) + Int64(length.extra) == Int64(packet.count)
      else {
        throw PacketRefusal(reason: "\(packet.count) octets are not what their own length says")
      }
      return Self.chunks(packet, room)
    case .fragments(let header):
      let length = header.reduce(0) { $0 + $1.integer.octets }
      guard room > length else { throw PacketRefusal(reason: "an ATT_MTU of \(attMTU) has no room for a fragment") }
      let bodies = packet.isEmpty ? [[]] : Self.chunks(packet, room - length)
      defer { next += 1 }
      var values: [[UInt8]] = []
      for (index, body) in bodies.enumerated() {
        var value: [UInt8] = []
        for field in header {
          let number: Int64 =
            switch field.meaning {
            case .id: next & (field.integer.octets >= 8 ? Int64.max : (1 << Int64(field.integer.octets * 8)) - 1)
            case .index: Int64(index)
            case .count: Int64(bodies.count)
            case .size: Int64(packet.count)
            case .more: index + 1 < bodies.count ? 1 : 0
            case .last: index + 1 == bodies.count ? 1 : 0
            case .unused: 0
            }
          guard field.integer.range.contains(number) else {
            throw PacketRefusal(reason: "\(field.meaning.rawValue) \(number) does not fit its field")
          }
          value += field.integer.write(number)
        }
        values.append(value + body)
      }
      return values
    }
  }

  private static func chunks(_ octets: [UInt8], _ room: Int) -> [[UInt8]] {
    stride(from: 0, to: octets.count, by: max(1, room)).map { Array(octets[$0..<min($0 + max(1, room), octets.count)]) }
  }
}

/// What the header of a fragment says.
private struct FragmentNumbers {
  var id: Int64 = 0
  var index: Int64?
  var count: Int64?
  var size: Int64?
  var isLast = false

  /// One fragment, and no more.
  var isWhole: Bool { count == 1 && size == nil }

  /// - Parameter value: not shorter than the header.
  init(_ value: [UInt8], _ header: [FramingForm.FragmentField]) {
    var place = 0
    for field in header {
      let number = field.integer.read(value[place...])
      place += field.integer.octets
      switch field.meaning {
      case .id: id = number
      case .index: index = number
      case .count: count = number
      case .size: size = number
      case .more: isLast = isLast || number == 0
      case .last: isLast = isLast || number != 0
      case .unused: break
      }
    }
  }
}
