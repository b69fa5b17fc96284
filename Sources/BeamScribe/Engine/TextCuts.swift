import SimKernel

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
        UnsafeRawBufferPointer(own).isSame(as: UnsafeRawBufferPointer(other))
      }
    }
    return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}
