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

  /// The link on which it asks the other end for something, or sends it something.
  package var usedLink: LinkID? {
    switch plain {
    case .notify(let link, _, _), .write(let link, _, _), .writeWithoutResponse(let link, _, _),
      .subscribe(let link, _, _), .read(let link, _), .discover(let link, _):
      link
    default: nil
    }
  }

  /// The link on which it asks for something else.
  package var otherLink: LinkID? {
    switch self {
    case .exchangeMTU(let link, _), .gatt(.discoverServices(let link, _)),
      .gatt(.discoverCharacteristics(let link, _)), .gatt(.configure(let link, _, _, _)),
      .gatt(.read(let link, _, _)), .gatt(.write(let link, _, _, _)), .gatt(.prepare(let link, _, _, _, _)),
      .gatt(.execute(let link, _)), .gap(.pair(let link)):
      link
    default: nil
    }
  }
}
