import SimKernel
import VirtualRadio

/// Devices that come and leave while a session lives. Both are in the recording, so that a replay does them again at
/// the same instants.
extension LiveSession {
  /// Who is there now, by name: without places that nobody has, and without who has left.
  public var present: [(device: Int, name: String)] {
    world.header.devices.indices.filter { $0 < firstPlace + arrivals && !gone.contains($0) }
      .map { ($0, world.header.devices[$0].name) }
  }

  /// The device that a name means now; nil: nobody there is called so.
  public func device(named name: String) -> Int? { present.first { $0.name == name }?.device }

  /// Why a device cannot come; nil: it can.
  public func refusal(_ arrival: SessionRecording.Arrival, language: ScenarioLanguage) -> Refusal? {
    do throws(Refusal) {
      _ = try read(arrival, language)
      return nil
    } catch {
      return error
    }
  }

  /// The place that the next device gets.
  public var nextPlace: Int { firstPlace + arrivals }

  /// A device comes, now.
  /// - Parameter language: the protocols and engines that its words may name.
  /// - Returns: its index.
  /// - Throws: why it cannot, in one line.
  @discardableResult
  public func admit(_ arrival: SessionRecording.Arrival, language: ScenarioLanguage) throws(Refusal) -> Int {
    let device = try read(arrival, language)
    advance(to: now)
    if isOver { throw Refusal("the session is over") }
    let index = nextPlace
    write(.arrival(arrival))
    seats[index] = arrival.isExternal ? .foreignHost : .simulated
    seatIndex[index] = arrival.isExternal ? firstPlaceSeat + arrivals : nil
    arrivals += 1
    assert(nextPlace <= seats.count, "each device that comes has a place")
    world.admit(device, at: index, isForeign: arrival.isExternal)
    _ = world.advance(to: now)
    return index
  }

  /// A device leaves for good, now. One with an external host should have been detached before.
  /// - Throws: why it cannot, in one line.
  public func dismiss(_ name: String) throws(Refusal) {
    guard let index = device(named: name) else { throw Refusal("there is no device “\(name)”") }
    if seats[index] == .foreignController {
      throw Refusal("\(name) has an external controller, whose radio the bench cannot reach")
    }
    advance(to: now)
    if isOver { throw Refusal("the session is over") }
    write(.departure(device: name))
    gone.insert(index)
    world.dismiss(index)
    _ = world.advance(to: now)
  }

  private func write(_ what: SessionRecording.Entry.What) {
    guard let record else { return }
    record(lines.line(SessionRecording.Entry(instant: now, what: what)))
  }

  private func read(
    _ arrival: SessionRecording.Arrival, _ language: ScenarioLanguage
  ) throws(Refusal) -> Device {
    let places = world.scenario.devices.count - firstPlace
    guard arrivals < places else {
      throw Refusal(
        places == 0
          ? "no place is kept for a device that comes later; start the session with --places 8"
          : "all \(places) places are taken; start the session with a larger --places")
    }
    switch ScenarioReader.device(
      arrival.words, name: arrival.name, of: world.scenario, isBare: arrival.isExternal, language: language)
    {
    case .success(let device): return device
    case .failure(let problems): throw Refusal(problems.list.first?.message ?? arrival.words)
    }
  }
}
