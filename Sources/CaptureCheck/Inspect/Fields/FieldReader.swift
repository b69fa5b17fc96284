import BluetoothWire
import SimKernel

/// Puts octets into lines, field by field, with the names and units of the specification.
///
/// Any octets are taken: what is missing and what is left over is said.
struct FieldReader {
  /// What a handle means at the server that a PDU names it of.
  typealias AttributeName = (ATT.Handle) -> String?

  private(set) var lines: [String] = []
  private var rest: ArraySlice<UInt8>
  private var isCut = false
  /// The newest number, for `#(`.
  private var number: UInt64 = 0
  /// What the newest address type said, for the address after it.
  var isRandom: Bool?
  private let name: AttributeName

  init(_ octets: ArraySlice<UInt8>, name: @escaping AttributeName = { _ in nil }) {
    rest = octets
    self.name = name
  }

  var hasMore: Bool { !rest.isEmpty && !isCut }

  /// All lines, and the octets that no field was for.
  func finished() -> [String] {
    rest.isEmpty || isCut ? lines : lines + ["Further_Octets: \(FieldValue.octets(rest))"]
  }

  mutating func read(_ fields: [Substring]) { read(fields[...], depth: 0) }

  private mutating func read(_ fields: ArraySlice<Substring>, depth: Int) {
    var fields = fields
    while let word = fields.first, !isCut {
      if word == "*(" || word == "#(" {
        let end = fields.firstIndex(of: ")") ?? fields.endIndex
        let group = fields[fields.startIndex + 1..<end]
        let count = word == "#(" ? Int(min(number, 255)) : Int.max
        var done = 0
        while done < count, !rest.isEmpty, !isCut {
          read(group, depth: depth)
          done += 1
        }
        if word == "#(", done < count, !isCut { cut("Entries", "\(count - done) more") }
        fields = fields[min(end + 1, fields.endIndex)...]
      } else {
        let parts = word.split(separator: ":", maxSplits: 1)
        read(String(parts[0]), parts.count > 1 ? parts[1] : "hex")
        fields = fields.dropFirst()
      }
    }
  }

  private mutating func cut(_ label: String, _ what: String) {
    isCut = true
    lines.append("\(label): missing, \(what)\(rest.isEmpty ? "" : ", there is " + FieldValue.octets(rest))")
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  // MARK: Fields

  private mutating func read(_ label: String, _ kind: Substring) {
    let word = kind.prefix { !$0.isNumber }
    let digits = kind.drop { !$0.isNumber }
    switch word {
    case "hex": readOctets(label, Int(digits))
    case "text":
      let text = take(rest.count).prefix { $0 != 0 }
      lines.append("\(label): \(FieldValue.text(text))")
    case "ad": append(structures: take(rest.count), label)
    case "lad", "lhex": readCounted(label, isStructures: word == "lad", padded: Int(digits))
    case "vhex": readVariable(label)
    case "uuid": readUUID(label, width: Int(digits) ?? rest.count)
    case "information": readInformation()
    case "values": readValues(hasEnd: false)
    case "groups": readValues(hasEnd: true)
    default: readNumber(label, word, Int(digits) ?? FieldValue.width(word))
    }
  }

  private mutating func readNumber(_ label: String, _ word: Substring, _ width: Int) {
    guard rest.count >= width else { return cut(label, "\(CountedNoun.text(width, "octet")) wanted") }
    let octets = take(width)
    number = octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    if word == "addresstype" { isRandom = [1, 3].contains(number) }
    if word == "attribute" {
      let handle = ATT.Handle(truncatingIfNeeded: number)
      lines.append("\(label): \(hexNumber(handle, digits: 4))\(name(handle).map { " (\($0))" } ?? "")")
      return
    }
    if word == "randomaddress" { return lines.append("\(label): \(FieldValue.address(number, isRandom: true))") }
    if word == "address" { return lines.append("\(label): \(FieldValue.address(number, isRandom: isRandom))") }
    lines.append("\(label): \(FieldValue.words(word, number, width))")
    if word == "features" { lines += LEFeatures.names(number).map { "  " + $0 } }
  }

  private mutating func readOctets(_ label: String, _ count: Int?) {
    let count = count ?? rest.count
    guard rest.count >= count else { return cut(label, "\(CountedNoun.text(count, "octet")) wanted") }
    lines.append("\(label): \(FieldValue.octets(take(count)))")
  }

  /// A length octet and so many octets, within a field of fixed width where `padded` is given.
  private mutating func readCounted(_ label: String, isStructures: Bool, padded: Int?) {
    guard let first = rest.first else { return cut(label, "its length wanted") }
    rest = rest.dropFirst()
    let length = Int(first)
    let width = padded ?? length
    guard rest.count >= min(length, width) else { return cut(label, "\(CountedNoun.text(length, "octet")) wanted") }
    let octets = take(width).prefix(length)
    if isStructures {
      append(structures: octets, label)
    } else {
      lines.append("\(label): \(FieldValue.octets(octets))")
    }
  }

  /// Two octets of length and a value; the last value may be shorter (Vol 3, Part F, 3.4.4.12).
  private mutating func readVariable(_ label: String) {
    guard let length = rest.little(at: 0, 2) else { return cut(label, "its length wanted") }
    rest = rest.dropFirst(2)
    let octets = take(min(Int(length), rest.count))
    let cut = octets.count < length ? ", \(CountedNoun.text(length, "octet")) in all" : ""
    lines.append("\(label): \(FieldValue.octets(octets))\(cut)")
  }

  private mutating func append(structures octets: ArraySlice<UInt8>, _ label: String) {
    lines.append("\(label): \(CountedNoun.text(octets.count, "octet"))")
    lines += ADFields.lines(octets).map { "  " + $0 }
  }

  // MARK: ATT

  private mutating func readUUID(_ label: String, width: Int) {
    guard [2, 4, 16].contains(width), rest.count >= width else { return readOctets(label, nil) }
    lines.append("\(label): \(UUIDNames.text(take(width)))")
  }

  private mutating func readInformation() {
    guard let format = rest.first else { return cut("Format", "1 octet wanted") }
    rest = rest.dropFirst()
    lines.append("Format: \(format == 1 ? "16-bit UUIDs" : format == 2 ? "128-bit UUIDs" : "\(format)")")
    let width = format == 1 ? 2 : 16
    while rest.count >= 2 + width {
      let handle = take(2).word(at: 0)
      lines.append("Handle: \(hexNumber(handle, digits: 4)), UUID: \(UUIDNames.text(take(width)))")
    }
  }

  private mutating func readValues(hasEnd: Bool) {
    guard let length = rest.first.map(Int.init) else { return cut("Length", "1 octet wanted") }
    rest = rest.dropFirst()
    lines.append("Length: \(CountedNoun.text(length, "octet"))")
    let front = hasEnd ? 4 : 2
    guard length >= front else { return }
    while rest.count >= length {
      let entry = take(length)
      let handle = entry.word(at: 0)
      let end = hasEnd ? " to \(hexNumber(entry.word(at: 2), digits: 4))" : ""
      let meaning = hasEnd ? nil : name(handle)
      let value = entry.dropFirst(front)
      let words = hasEnd && [2, 16].contains(value.count) ? UUIDNames.text(value) : FieldValue.octets(value)
      lines.append("Handle: \(hexNumber(handle, digits: 4))\(end)\(meaning.map { " (\($0))" } ?? ""), value: \(words)")
    }
  }
}
