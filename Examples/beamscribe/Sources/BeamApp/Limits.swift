import Foundation

/// The numbers and names of BeamScribe.
public enum Beam {
  public static let serviceType = "_beamscribe._tcp"
  public static let serviceUUID = "BEA35C81-1A5E-4B1E-9A57-000000000001"
  public static let longestBody = 1_048_576
  static let longestText = 8_192
  static let largestSequence = 9_007_199_254_740_991
  static let largestMilliseconds = 9_007_199_254_740_000
  static let guests = 7
  static let gate = 4.0
  static let unstableBefore = 5.0
  static let retryWaits = [1.0, 2.0, 4.0]
  static let attempt = 10.0
  static let wake = 10.0
  static let stall = 30.0
  static let slow = 30.0
  static let slowOctets = 4_194_304
  static let finish = 5.0
  static let notViable = 10.0
  static let longestKept = 131_072
  static let mostFinals = 1_000_000
}

extension String {
  /// As many Unicode scalars from the start as fit.
  func cut(octets: Int, scalars most: Int = .max) -> String {
    var (start, size) = (String.UnicodeScalarView(), 0)
    for scalar in unicodeScalars {
      let width = UTF8.width(scalar)
      if start.count == most || size + width > octets { break }
      start.append(scalar)
      size += width
    }
    return String(start)
  }

  /// Pieces of as many Unicode scalars as fit.
  func pieces(octets: Int) -> [String] {
    if isEmpty || utf8.count <= octets { return isEmpty ? [] : [self] }
    var pieces: [String] = []
    var (piece, size) = (String.UnicodeScalarView(), 0)
    for scalar in unicodeScalars {
      let width = UTF8.width(scalar)
      if size + width > octets {
        pieces.append(String(piece))
        (piece, size) = (String.UnicodeScalarView(), 0)
      }
      piece.append(scalar)
      size += width
    }
    return pieces + [String(piece)]
  }

  /// Octet by octet; Swift's `==` takes texts for equal that only look alike.
  func hasOctets(of other: String) -> Bool { utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) }

  /// What of an event's name is advertised.
  var advertised: String { cut(octets: 8, scalars: 8) }
}

/// What the app shows, by the names of BEAM 10.
public typealias Screen = (String, KeyValuePairs<String, any Encodable>) -> Void
