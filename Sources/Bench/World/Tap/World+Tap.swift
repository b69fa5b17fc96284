import BluetoothWire
import Platform
public import SimKernel
import VirtualRadio

/// Taps, and running up to a state: what a fuzzer does with a world.
extension World {
  /// Lets a listener see every unit that any device sends at a seam, from now on; once in a world.
  ///
  /// A listener that answers false to all changes nothing: the digest is that of the same run without a tap.
  /// - Parameter listener: whether it takes the unit over, which then does not go out. It may call `send` of the
  ///   world, and nothing else.
  public func tap(_ seam: Seam, _ listener: @escaping (TappedUnit) -> Bool) {
    precondition(tap == nil, "a world has one tap")
    let tap = WorldTap(self, seam, listener)
    self.tap = tap
    if seam == .ll || seam == .air { radio.pduTap = tap }
    for platform in platforms where platform.seat == .simulated {
      switch seam {
      case .fragment: platform.valueTap = tap
      case .att, .l2cap: platform.host.frameTap = FrameListener(tap: tap, device: platform.index)
      case .ll, .air: break
      case .hci:
        precondition(options.hasTappedDoors, "the world was made without doors that can be tapped")
      }
    }
  }

  /// Sends units of one route past the tap after a span, one after the other, as if their device had sent them; a route
  /// that is gone takes nothing. A listener may call it.
  /// - Parameter sent: told of each unit as it goes out.
  public func send(_ units: [TappedUnit], after span: SimDuration, sent: ((TappedUnit) -> Void)? = nil) {
    guard let tap else { preconditionFailure("a world without a tap") }
    tap.plan(units, after: span, sent: sent)
  }

  /// Plays until a condition holds, which is asked after every event as `wait until` does.
  /// - Returns: whether it came true before the run was through.
  public func play(until condition: Condition) -> Bool {
    _ = play(to: .distantFuture, until: condition)
    return facts.holds(condition, at: timeline.now)
  }

  /// Plays on for a span, with at most so many events.
  /// - Returns: how the run ended; nil when the span was over first.
  public func play(for span: SimDuration, events: Int) -> RunOutcome.Ending? {
    eventAllowance = timeline.eventCount + handled + events
    return play(to: timeline.now + span, until: nil)
  }

  /// The digest so far: what devices have done and received.
  public var digestSoFar: TraceDigest { joinedDigest() }

  /// Events so far.
  public var eventsSoFar: Int { timeline.eventCount + handled }

  /// The links of a device whose other end is none of these devices.
  public func linkCount(of device: Int, besides others: [Int]) -> Int {
    platforms[device].links.count { link in link.peerDevice.map { !others.contains($0) } ?? true }
  }

  /// The ATT_MTU of a link; nil when it is not up.
  public func attMTU(of unit: TappedUnit) -> Int? {
    guard case .value(let link, _, _) = unit.route else { return nil }
    return platforms[unit.device].link(link)?.attMTU
  }

  /// Whether the link of a route is up.
  public func isUp(_ unit: TappedUnit) -> Bool {
    switch unit.route {
    case .value(let link, _, _): platforms[unit.device].link(link) != nil
    case .frame(let handle): platforms[unit.device].hasLink(handle)
    case .controller, .advertising: true
    }
  }

  /// The controller of a device, through a door that can be tapped if the options ask for it.
  func innerDoor(_ device: Int) -> any HCIDoor {
    let controller = radio.controllers[device]
    return options.hasTappedDoors ? TappedDoor(world: self, device: device, controller: controller) : controller
  }
}

extension World {
  /// Begins a run that its owner drives by its scenario.
  /// - Throws: what the factory throws for an engine it does not know.
  public func prepare() throws {
    try tryEngines()
    begin()
  }

  /// Whether a condition holds now.
  public func holds(_ condition: Condition) -> Bool { facts.holds(condition, at: timeline.now) }

  /// How a condition stands, for people.
  public func detail(of condition: Condition) -> String { facts.detail(condition, at: timeline.now, names: names) }
}
