/// Octets of a message under way, with the places of names that later ones may point to (RFC 1035, 4.1.4).
struct DNSNameWriter {
  var octets: [UInt8] = []
  private var places: [(labels: ArraySlice<String>, offset: Int)] = []

  mutating func append(_ name: DNSName) {
    var rest = name.labels[...]
    while !rest.isEmpty {
      if let known = places.first(where: { $0.labels.elementsEqual(rest) }) {
        return octets.append(bigEndian: 0xC000 | UInt16(known.offset))
      }
      // A pointer has 14 bits.
      if octets.count < 0x4000 { places.append((rest, octets.count)) }
      let label = rest.removeFirst()
      octets.append(UInt8(label.utf8.count))
      octets += label.utf8
    }
    octets.append(0)
  }
}
