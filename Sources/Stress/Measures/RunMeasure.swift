/// A figure that is taken of every run, from its trace: what it is of, its unit, and how it is taken.
package struct RunMeasure: Hashable, Sendable {
  package enum Unit: String, Hashable, Sendable, Codable {
    /// Nanoseconds.
    case time
    /// Bits in a second.
    case rate
    /// Parts per million.
    case share
    case count
  }

  /// For programs and conditions: letters and hyphens.
  package var name: String
  /// For people.
  package var title: String
  package var unit: Unit
  package var isBetterWhenLess: Bool
  /// A run without a sample of it went wrong: an upper limit does not hold there.
  package var hasToHappen: Bool
  /// From when to when, or what of what; each sample of it.
  package var definition: String

  package init(
    _ name: String, _ title: String, _ unit: Unit, isBetterWhenLess: Bool = true, hasToHappen: Bool = false,
    _ definition: String
  ) {
    self.name = name
    self.title = title
    self.unit = unit
    self.isBetterWhenLess = isBetterWhenLess
    self.hasToHappen = hasToHappen
    self.definition = definition
  }
}

/// What is measured of every app that has links or streams.
extension RunMeasure {
  static let discovery = RunMeasure(
    "discovery", "time to discovery", .time, hasToHappen: true,
    "From an app's order to scan to the first report of its leader's advertising; once for each scan.")
  static let link = RunMeasure(
    "link", "time to a link", .time, hasToHappen: true, "From an app's order to connect until it is told of the link.")
  static let service = RunMeasure(
    "service", "time to a service", .time, hasToHappen: true,
    "From an app's order to browse its network to the first result that its leader offers; once for each order.")
  static let stream = RunMeasure(
    "stream", "time to a stream", .time, hasToHappen: true,
    "From an app's order to connect over its network until it is told that the stream is ready.")
  static let seat = RunMeasure(
    "seat", "time to a seat", .time, hasToHappen: true,
    "From the first order to scan, browse or connect of a device that does not lead until its app shows that it takes"
      + " part; once for each launch.")
  static let lobby = RunMeasure(
    "lobby", "time to a whole lobby", .time, hasToHappen: true,
    "From the first order to scan, browse or connect of a device that does not lead to the first instant in which all"
      + " of them take part; once for each lobby, never if one stays away.")
  static let delivery = RunMeasure(
    "delivery", "delivery of a packet", .time, hasToHappen: true,
    "From the app's first attempt to hand the first value of a packet to its platform to the arrival of the last"
      + " value at the other app; packets that never arrive count as undelivered.")
  static let transit = RunMeasure(
    "transit", "octets in transit", .time, hasToHappen: true,
    "From the instant in which an app hands octets of a stream to its platform, which takes them, to the arrival of"
      + " the last of them at the other app.")
  static let queueFull = RunMeasure(
    "queue-full", "transmit queue full", .time,
    "From a refused value until the platform reports room again, for each link; likewise for octets of a stream.")
  static let comeback = RunMeasure(
    "return", "time to return", .time,
    "From the instant in which a device that takes part loses its link, radio or app, or shows that it no longer"
      + " takes part, until it takes part again.")
  static let catchUp = RunMeasure(
    "catch-up", "time to catch up", .time,
    "From the same instant to the first in which it shows the newest thing of each history that its leader shows.")
  static let goodput = RunMeasure(
    "goodput", "octets received", .rate, isBetterWhenLess: false,
    "The bits of all values that an app receives on a link in a second of that link; once for each end of a link on"
      + " which a value came.")
  static let radioOn = RunMeasure(
    "radio-on", "radio on", .share, "The share of the run in which a radio sent, listened or scanned; of each device.")
  static let airtime = RunMeasure(
    "airtime", "airtime", .share, "The share of the run in which a radio sent; of each device.")
  static let missedEvents = RunMeasure(
    "missed-events", "missed connection events", .share,
    "Connection events in which an end heard nothing, of all; one sample for the run.")
  static let pduLoss = RunMeasure(
    "pdu-loss", "PDUs not received", .share,
    "PDUs that a radio listened for and did not receive whole, of all that were sent; one sample for the run. On a"
      + " link each is sent again.")
  static let lostLinks = RunMeasure(
    "lost-links", "links lost", .count,
    "Ends of links that ended otherwise than by the order of an app or person; one sample for the run.")
  static let lostStreams = RunMeasure(
    "lost-streams", "streams lost", .count,
    "Ends of streams that failed without an order of the app at either end; one sample for a run with streams.")
  static let undelivered = RunMeasure(
    "undelivered", "packets not delivered", .count,
    "Packets that were begun and had not arrived whole when their link ended; one sample for the run.")

  /// Those of every run, by their place in every list of measures.
  enum General: Int, CaseIterable {
    case discovery, link, service, stream, seat, lobby, delivery, transit, queueFull, comeback, catchUp, goodput
    case radioOn, airtime, missedEvents, pduLoss, lostLinks, lostStreams, undelivered

    fileprivate var measure: RunMeasure {
      switch self {
      case .discovery: .discovery
      case .link: .link
      case .service: .service
      case .stream: .stream
      case .seat: .seat
      case .lobby: .lobby
      case .delivery: .delivery
      case .transit: .transit
      case .queueFull: .queueFull
      case .comeback: .comeback
      case .catchUp: .catchUp
      case .goodput: .goodput
      case .radioOn: .radioOn
      case .airtime: .airtime
      case .missedEvents: .missedEvents
      case .pduLoss: .pduLoss
      case .lostLinks: .lostLinks
      case .lostStreams: .lostStreams
      case .undelivered: .undelivered
      }
    }
  }

  /// Those of every run, in the order of reports.
  package static let general: [RunMeasure] = General.allCases.map(\.measure)
}
