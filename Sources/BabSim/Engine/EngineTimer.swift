import AppSeam

/// The timers of the reference engines.
enum EngineTimer {
  static let heartbeat = TimerID(1)
  static let vote = TimerID(2)
  static let advertiseAgain = TimerID(3)
  /// Host: the next remembered player is to be forgotten.
  static let forget = TimerID(4)
  static let scanTimeout = TimerID(5)
  static let connectTimeout = TimerID(6)
  static let retry = TimerID(7)
  static let reconnectDeadline = TimerID(8)

  /// Host: everybody has heard that the game is over.
  static let leave = TimerID(9)

  private static let perLink = 1_000
  private static let perLinkPartials = 1_000_000

  /// The time a link has to become a seat in the lobby.
  static func join(_ link: LinkID) -> TimerID { TimerID(perLink + 2 * link.rawValue) }
  /// The pause of a paced dialect.
  static func pause(_ link: LinkID) -> TimerID { TimerID(perLink + 2 * link.rawValue + 1) }

  /// The oldest partial packet of a link has waited long enough.
  static func partials(_ link: LinkID) -> TimerID { TimerID(perLinkPartials + link.rawValue) }

  enum LinkTimer {
    case join(LinkID)
    case pause(LinkID)
    case partials(LinkID)
  }

  /// Which link's timer this is, nil for the timers above.
  static func linkTimer(_ timer: TimerID) -> LinkTimer? {
    guard timer.rawValue >= perLink else { return nil }
    if timer.rawValue >= perLinkPartials { return .partials(LinkID(timer.rawValue - perLinkPartials)) }
    let link = LinkID((timer.rawValue - perLink) / 2)
    return (timer.rawValue - perLink) % 2 == 0 ? .join(link) : .pause(link)
  }
}
