import BabSim
import Conformance
import SimKernel

/// A receiver of fragments with one rule of BAB 3.9 to 3.19 broken.
struct LooseReassembler {
  /// Which rule, and how.
  enum Fault: Sendable {
    /// A fragment that does not follow its predecessor ends its packet.
    case inOrderOnly
    /// A fragment of another packet ends the one before.
    case onePacketAtATime
    /// A repeated fragment ends its packet.
    case repeatDrops
    /// A repeated fragment counts as another one.
    case repeatCounts
    /// A repeated fragment is progress.
    case repeatIsProgress
    /// A packetID that is smaller than the newest one is old.
    case idsOnlyGrow
    /// More than four fragments are no packet.
    case fourFragments
    /// A count above 127 is negative, and no count.
    case signedCount
    /// A value that is too short ends everything that is partial.
    case shortDropsAll
    /// Nothing is said about a value that is too short.
    case shortIsSilent
    /// Count 0 leaves the partial packet as it is.
    case countZeroKeeps
    /// An index beyond the count leaves the partial packet as it is.
    case indexBeyondKeeps
    /// Nothing is said about count 0 and indices beyond the count.
    case impossibleIsSilent
    /// A fragment with another count is left out and its packet goes on.
    case countChangeKeeps
    /// A repeated fragment with other octets takes the place of the first one.
    case conflictReplaces
    /// A repeated fragment with other octets is left out and its packet goes on.
    case conflictKeeps
    /// Nothing is said about changed counts and octets.
    case contradictionIsSilent
    /// A partial packet never expires.
    case neverExpires
    /// A partial packet waits for 2 s.
    case expiresEarly
    /// The wait counts from the first fragment, whatever comes later.
    case progressIsForgotten
    /// An expired packet is dropped with the next value, and not before.
    case expiresWithNextValue
    /// Nothing is said about an expired packet.
    case expiryIsSilent
    case sixtyFourPartials
    case eightPartials
    /// The packet that goes beyond the limit is dropped, and not the one begun first.
    case newestPartialGoes
    case noOctetLimit
    case smallOctetLimit
    /// The packet that grows beyond the limit is dropped, and not the one begun first.
    case growingPartialGoes
    case limitIsSilent
    /// What is partial outlives its link, and goes on with the next one.
    case outlivesLinks
    /// All links share one receiver.
    case oneForAllLinks
    /// The fragments of a dropped packetID are left out from then on.
    case droppedIsForgottenNever
    /// After a hundred values that were wrong none is taken any more.
    case givesUp
  }

  private struct Partial {
    var packetID: UInt16
    var bodies: [[UInt8]?]
    var received = 1
    var octets: Int
    var deadline: SimInstant
    var newest: Int
  }

  private let fault: Fault?
  private var partials: [Partial] = []
  private var barred: [UInt16] = []
  private var newestID: UInt16?
  private var wrong = 0
  /// What is to be reported.
  private(set) var refusals: [String] = []

  init(_ fault: Fault?) { self.fault = fault }

  /// When the oldest wait is over; nil while nothing waits.
  var deadline: SimInstant? { partials.map(\.deadline).min() }

  mutating func takeRefusals() -> [String] {
    defer { refusals = [] }
    return refusals
  }

  /// Takes a value; the text of the packet that it completes.
  mutating func receive(_ value: [UInt8], at now: SimInstant) -> [UInt8]? {
    expire(at: now)
    if fault == .givesUp, wrong >= 100 { return nil }
    guard let header = FragmentHeader(value) else {
      refuse("value too short", unless: .shortIsSilent)
      if fault == .shortDropsAll { partials = [] }
      return nil
    }
    let id = header.packetID
    if barred.contains(id) { return nil }
    if fault == .idsOnlyGrow {
      if let newestID, id < newestID { return nil }
      newestID = id
    }
    let count = Int(header.count)
    let isNegative = fault == .signedCount && count > 127 || fault == .fourFragments && count > 4
    if count == 0 || Int(header.index) >= count || isNegative {
      refuse("impossible fragment", unless: .impossibleIsSilent)
      let keeps = count == 0 ? Fault.countZeroKeeps : .indexBeyondKeeps
      if fault != keeps || isNegative { drop(id) }
      return nil
    }
    let body = Array(value[FragmentHeader.octets...])
    if fault == .onePacketAtATime { partials.removeAll { $0.packetID != id } }
    if let place = partials.firstIndex(where: { $0.packetID == id }) {
      extend(place, header, body, now)
    } else {
      begin(header, body, now)
    }
    return complete(id)
  }

  /// Drops what has waited long enough; called at the deadline and before every value.
  mutating func expire(at now: SimInstant) {
    guard fault != .neverExpires else { return }
    for partial in partials where partial.deadline <= now {
      refuse("no progress for 5 s", unless: .expiryIsSilent)
      drop(partial.packetID)
    }
  }

  private var patience: SimDuration { fault == .expiresEarly ? .seconds(2) : .seconds(5) }

  private mutating func begin(_ header: FragmentHeader, _ body: [UInt8], _ now: SimInstant) {
    var bodies = [[UInt8]?](repeating: nil, count: Int(header.count))
    let index = Int(header.index)
    if fault == .inOrderOnly, index > 0 { return }
    bodies[index] = body
    partials.append(
      Partial(
        packetID: header.packetID, bodies: bodies, octets: body.count, deadline: now + patience, newest: index))
    makeRoom(growing: header.packetID)
  }

  private mutating func extend(_ place: Int, _ header: FragmentHeader, _ body: [UInt8], _ now: SimInstant) {
    let index = Int(header.index)
    let id = header.packetID
    guard partials[place].bodies.count == Int(header.count) else {
      refuse("count changed", unless: .contradictionIsSilent)
      if fault != .countChangeKeeps { drop(id) }
      return
    }
    if let known = partials[place].bodies[index] {
      if known != body {
        refuse("octets changed", unless: .contradictionIsSilent)
        if fault == .conflictReplaces { partials[place].bodies[index] = body }
        if fault != .conflictReplaces, fault != .conflictKeeps { drop(id) }
      } else if fault == .repeatDrops {
        drop(id)
      } else if fault == .repeatCounts {
        partials[place].received += 1
      } else if fault == .repeatIsProgress {
        partials[place].deadline = now + patience
      }
      return
    }
    if fault == .inOrderOnly, index != partials[place].newest + 1 { return drop(id) }
    partials[place].bodies[index] = body
    partials[place].newest = index
    partials[place].received += 1
    partials[place].octets += body.count
    if fault != .progressIsForgotten { partials[place].deadline = now + patience }
    if partials[place].received < partials[place].bodies.count { makeRoom(growing: id) }
  }

  private mutating func complete(_ id: UInt16) -> [UInt8]? {
    guard let place = partials.firstIndex(where: { $0.packetID == id }),
      partials[place].received >= partials[place].bodies.count
    else { return nil }
    return partials.remove(at: place).bodies.flatMap { $0 ?? [] }
  }

  private mutating func makeRoom(growing id: UInt16) {
    let limit = fault == .sixtyFourPartials ? 64 : fault == .eightPartials ? 8 : 16
    while partials.count > limit {
      refuse("too many partial packets", unless: .limitIsSilent)
      if fault == .newestPartialGoes { partials.removeLast() } else { drop(partials[0].packetID) }
    }
    let octetLimit = fault == .noOctetLimit ? Int.max : fault == .smallOctetLimit ? 65_536 : 262_144
    while partials.reduce(0, { $0 + $1.octets }) > octetLimit {
      refuse("too many octets", unless: .limitIsSilent)
      drop(fault == .growingPartialGoes ? id : partials[0].packetID)
    }
  }

  private mutating func drop(_ id: UInt16) {
    partials.removeAll { $0.packetID == id }
    if fault == .droppedIsForgottenNever { barred.append(id) }
  }

  private mutating func refuse(_ reason: String, unless silent: Fault) {
    wrong += 1
    if fault != silent { refusals.append(reason) }
  }
}
