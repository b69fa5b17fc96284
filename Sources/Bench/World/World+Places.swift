import Platform
import SimKernel
import VirtualRadio

/// Devices that come to a room while it lives: each takes a place that was kept for it (`Scenario.keepPlaces`).
///
/// A place is a controller without a host, silent and deaf, so that a room with places is the same room; whatever is
/// drawn for a device that comes follows from its name.
extension World {
  /// A device comes, now: with one of our apps, or as the controller of a host from outside.
  /// - Precondition: nobody has had the place, and the host stack of a device that is not `isForeign` is ours.
  func admit(_ device: Device, at index: Int, isForeign: Bool) {
    options.seats[index] = isForeign ? .foreignHost : .simulated
    scenario.devices[index] = device
    header.devices[index] = Self.written(device, index, seed: options.seed, isForeign: isForeign)
    header.options.append(
      Self.drawn(device, header.devices[index], seed: options.seed, seat: options.seats[index]))
    let address = header.devices[index].address
    radio.replace(
      index,
      by: Self.radioConfiguration(device, address: address, seed: options.seed, seat: options.seats[index]))
    platforms.replace(at: index, with: makePlatform(index, address: address))
    for seat in readers { seat.occupant.joins(header, device: index) }
    note(step: "\(device.name) comes: \(header.options.last?.value ?? "")")
    timeline.schedule(SimEvent(kind: Kind.launch.rawValue, target: UInt32(index)), at: timeline.now)
  }

  /// A device leaves, now, and does not come back: its links end without a word, as those of a phone whose battery is
  /// taken out.
  func dismiss(_ index: Int) {
    note(step: "\(header.devices[index].name) leaves")
    platforms[index].apply(.vanish)
    if options.seat(of: index) == .simulated {
      platforms[index].apply(.kill)
    } else {
      radio.controllers[index].hostIsGone()
    }
  }
}
