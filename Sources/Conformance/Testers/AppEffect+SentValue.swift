package import AppSeam

extension AppEffect {
  /// The value it sends, and on which link.
  package var sentValue: (link: LinkID, octets: [UInt8])? {
    switch self {
    case .notify(let link, _, let octets), .write(let link, _, let octets),
      .writeWithoutResponse(let link, _, let octets):
      (link, octets)
    default: nil
    }
  }
}
