/// Cuts between characters, which are Unicode scalars: where a cut goes depends on no version of a table.
enum TextCuts {
  /// The start of a text, as many characters as fit.
  static func start(of text: String, octets: Int, characters: Int = .max) -> String {
    var taken = 0
    var start = String.UnicodeScalarView()
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let width = UTF8.width(scalar)
      if index >= characters || taken + width > octets { break }
      taken += width
      start.append(scalar)
    }
    return String(start)
  }

  /// The whole text in pieces of as many characters as fit; none for an empty text.
  static func pieces(of text: String, octets: Int) -> [String] {
    if text.isEmpty { return [] }
    if text.utf8.count <= octets { return [text] }
    var pieces: [String] = []
    var piece = String.UnicodeScalarView()
    var taken = 0
    for scalar in text.unicodeScalars {
      let width = UTF8.width(scalar)
      if taken + width > octets, taken > 0 {
        pieces.append(String(piece))
        (piece, taken) = (String.UnicodeScalarView(), 0)
      }
      piece.append(scalar)
      taken += width
    }
    pieces.append(String(piece))
    return pieces
  }
}

extension String {
  /// Octet by octet: texts that only look the same are not.
  package func isSame(as other: String) -> Bool {
    if utf8.count != other.utf8.count { return false }
    // Nearly every text has its octets in one place, where a comparison takes a tenth of the time that iterators take.
    let answer = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { other in
        isSame(own, other)
      }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Eight octets at a time; both have the same number of them.
  private func isSame(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
    let (first, second) = (UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b))
    var place = 0
    while place + 8 <= first.count {
      let word = first.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word != second.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
      place += 8
    }
    while place < first.count {
      if first[place] != second[place] { return false }
      place += 1
    }
    return true
  }
}
