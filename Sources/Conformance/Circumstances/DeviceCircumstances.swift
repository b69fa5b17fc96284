import AppSeam
import BluetoothWire
import SimKernel

/// What has to be known of one device to see how it stands.
struct DeviceCircumstances {
  struct Link {
    var id: LinkID
    /// Nil: a stranger.
    var peer: Int?
  }

  /// A value that the platform has refused and that the app has not offered again.
  struct Refused {
    var link: LinkID
    var peer: Int?
    var characteristic: BluetoothUUID
    var octets: [UInt8]
    var instant: SimInstant
    var record: Int
    /// The app has been told, and has offered something new of its characteristic.
    var isOvertaken = false
  }

  private struct Offered {
    var link: LinkID
    var characteristic: BluetoothUUID
    var octets: [UInt8]
  }

  /// Refused values that are kept; an app that never sends any again may have as many as it likes.
  private static let limit = 64

  var links: [Link] = []
  /// Peers that the app connects to.
  var connects: [BluetoothAddress] = []
  /// Places of circumstances.
  var requests: [(request: RequestID, place: Int)] = []
  /// The newest link on which it has subscribed to something.
  var lastSubscribed: LinkID?
  /// The platform has just said that nobody has subscribed to a value of this link.
  var unwanted: LinkID?
  private(set) var refused: [Refused] = []
  /// Values whose answer is not there yet, oldest first.
  private var offered: [Offered] = []

  func peer(of link: LinkID) -> Int? { links.first { $0.id == link }?.peer }
  func has(_ link: LinkID) -> Bool { links.contains { $0.id == link } }

  mutating func drop(_ link: LinkID) {
    links.removeAll { $0.id == link }
    // What was not sent again before its link was gone may have been meant to be.
    refused.removeAll { $0.link == link && !$0.isOvertaken }
    offered.removeAll { $0.link == link }
  }

  /// The app gives its platform a value.
  mutating func offers(_ octets: [UInt8], _ link: LinkID, _ characteristic: BluetoothUUID) {
    if !refused.isEmpty { again(octets, link, characteristic) }
    offered.append(Offered(link: link, characteristic: characteristic, octets: octets))
  }

  /// What was refused is offered again, or something new is, and it has gone on without.
  private mutating func again(_ octets: [UInt8], _ link: LinkID, _ characteristic: BluetoothUUID) {
    let places = refused.indices.filter { refused[$0].link == link && refused[$0].characteristic == characteristic }
    if let place = places.first(where: { refused[$0].octets == octets }) {
      refused.remove(at: place)
    } else {
      for place in places { refused[place].isOvertaken = true }
    }
  }

  /// The platform has answered the oldest value of a characteristic and a link.
  /// - Returns: the value; nil: none was offered.
  mutating func answered(_ link: LinkID, _ characteristic: BluetoothUUID) -> [UInt8]? {
    guard let place = offered.firstIndex(where: { $0.link == link && $0.characteristic == characteristic })
    else { return nil }
    return offered.remove(at: place).octets
  }

  mutating func refuses(_ value: Refused) {
    if refused.count < Self.limit { refused.append(value) }
  }
}
