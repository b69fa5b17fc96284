import AppSeam
import BluetoothWire
import Platform
import SimKernel

/// What has to be known of one device to see how it stands.
struct DeviceCircumstances {
  struct Link {
    var id: LinkID
    /// Nil: a stranger.
    var peer: Int?
    var isCentral = false
    var begin = SimInstant.zero
    /// When it subscribed last, when it ended a subscription last, and when a value was sent to it last.
    var subscribedAt: SimInstant?
    var unsubscribedAt: SimInstant?
    var servedAt: SimInstant?
    /// Its central has written something, or asked for something.
    var hasWritten = false
    /// Values that others have got since.
    var missed = 0
    /// Characteristics of the other end as the app was told of them.
    var found: [ServiceDefinition.Characteristic] = []
    /// The same with their handles, where the app was told of those.
    var handles: [FoundCharacteristic] = []
    /// Services whose characteristics the app has discovered on it.
    var services: [BluetoothUUID] = []
    /// Client Characteristic Configurations that the app writes by their handle, until the answer is there.
    var configured: [(handle: ATT.Handle, octets: [UInt8])] = []
    /// A discovery has ended on it.
    var hasDiscovered = false
    /// Values that it has subscribed to, in the order in which it did.
    var subscribed: [BluetoothUUID] = []
    /// Characteristics that its central has written, where its server has sent nothing yet.
    var written: [BluetoothUUID] = []
    /// Subscriptions that were refused or failed, and that the app has not asked for again; each in words.
    var lacking: [(type: BluetoothUUID, words: String)] = []
    /// What the app was told of it last.
    var told: AppInput?
    /// Values of 20 octets, which is what the least ATT_MTU holds, that were sent before an exchange.
    var shortValues = 0
    /// An exchange of the ATT_MTU was asked for, or has ended.
    var hasExchanged = false
    /// Requests that the app makes, each when the one before it has been answered.
    var row = RequestRow()
    /// The supervision timeout that its phone has told, where that is a short one.
    var shortTimeout: String?
    /// The same where that is a long one.
    var longTimeout: String?

    /// What it has not subscribed to, of what it has found.
    var unsubscribed: [BluetoothUUID] {
      found.filter { !$0.properties.isDisjoint(with: [.notify, .indicate]) && !subscribed.contains($0.uuid) }.map(
        \.uuid)
    }
  }

  /// What an app does that looks for others, or lets them look for it.
  struct Search {
    /// Services that it scans for; nil: it does not scan.
    var scan: [BluetoothUUID]?
    /// Services that it advertises; nil: it does not advertise.
    var advertised: [BluetoothUUID]?
    var localName: String?
    /// It has looked for others, or had a link, since it was launched.
    var hasBegun = false
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
  /// Timers that its app has set, and the one that it was told of just now.
  var timers: [CircumstanceBook.AppTimer] = []
  var fired: CircumstanceBook.AppTimer?
  /// What the app was told last, whatever it is, and what it showed last.
  var newest: AppInput?
  var shown: (report: AppReport, instant: SimInstant)?
  /// Values of centrals that the app was given, until it has reacted to one, or sent one.
  var ignored = 0
  var ignoredTypes: [BluetoothUUID] = []
  var hasReacted = false
  var search = Search()
  /// What the app was told last, except timers and answers to values.
  var told: AppInput?
  var toldAt: SimInstant?
  /// When its app was put into the background last.
  var hiddenAt: SimInstant?
  /// Its person has just done something with it: what the app does at this instant is ordered.
  var orderedAt: SimInstant?
  /// What it was refused and has not been granted since.
  var refusals = OpenOperations()
  /// What the platform has said of links that the app has not been told of yet.
  var early: [PlatformRemark] = []
  /// Subscriptions that it has asked to end, until the answer is there.
  var unsubscribed: [(link: LinkID, type: BluetoothUUID)] = []
  /// The device that its person has named, and how.
  var wanted: (device: Int, action: String)?
  /// What was said of a phone without room, before a link of it was free.
  var refusedRoom: String?
  /// How its app has ended a link with a device last, where it has said something at that.
  var endedAs: [Int: String] = [:]
  /// How often the app has ended a link with a device by itself.
  var ended: [Int: Int] = [:]
  /// Reads of its server, until its app has answered: what is read, and from which octet on.
  var reads: [(request: RequestID, link: LinkID, type: BluetoothUUID, offset: Int)] = []
  /// What its app has answered to the newest read of a value from its first octet on.
  var readValues: [(link: LinkID, type: BluetoothUUID, octets: [UInt8])] = []
  /// The connection interval that the app has asked for last.
  var askedInterval: String?
  /// The last attempt to connect to a device that failed: when, and in what words.
  var lastFailure: [Int: (instant: SimInstant, words: String)] = [:]
  /// The link of what the app was told last, where that was an answer; nil: it was something else, or it has gone on
  /// there.
  var answeredOn: LinkID?
  /// The device at the other end of the link that it lost last as a central.
  var lost: Int?
  /// What the app has written last to a device.
  var lastWrite: [Int: [UInt8]] = [:]
  /// What has failed on order and was not tried again.
  var untried: [(operation: FailingOperation, octets: [UInt8]?, owner: Int, place: Int)] = []
  /// What it has tried again after a failure on order.
  var retried: Set<FailingOperation> = []
  /// How often an attempt to connect to a device has failed since there was a link with it.
  var failed: [Int: Int] = [:]
  /// When its app asked for a link with a peer last.
  var askedForLink: [Int: SimInstant] = [:]
  /// How often the app has given up an attempt to connect to a device.
  var givenUp: [Int: Int] = [:]
  /// Peers that the app connects to.
  var connects: [BluetoothAddress] = []
  /// Places of circumstances.
  var requests: [(request: RequestID, place: Int)] = []
  /// What has failed on order and not succeeded since.
  var failures = OpenOperations()
  /// The newest link on which it has subscribed to something.
  var lastSubscribed: LinkID?
  /// The platform has just said that nobody has subscribed to a value of this link.
  var unwanted: LinkID?
  private(set) var refused: [Refused] = []
  /// Values whose answer is not there yet, oldest first.
  private var offered: [Offered] = []

  /// It neither looks for others nor lets them find it, after it had.
  var isIdle: Bool {
    search.hasBegun && links.isEmpty && connects.isEmpty && search.scan == nil && search.advertised == nil
  }

  mutating func change(_ link: LinkID, _ body: (inout Link) -> Void) {
    if let place = links.firstIndex(where: { $0.id == link }) { body(&links[place]) }
  }

  func link(_ id: LinkID) -> Link? { links.first { $0.id == id } }
  /// Values that the platform has refused, and that the app has not offered again.
  func waiting(on link: LinkID) -> Refused? { refused.first { $0.link == link && !$0.isOvertaken } }

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
