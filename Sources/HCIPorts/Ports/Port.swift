import NIOCore
import SimKernel
import VirtualRadio

/// What a port needs of the run that it belongs to.
protocol PortOwner: AnyObject {
  var eventLoop: any EventLoop { get }
  var settings: LiveSettings { get }
  /// The monotonic clock since time began, with which arrivals are stamped.
  var clock: SimInstant { get }
  /// Takes what came in; false when no more should be read until time begins.
  func arrived(_ event: ForeignEvent, port: Port, stamp: SimInstant) -> Bool
  /// The host of a port in lockstep is done: it waits for a packet, and for an instant if there is one.
  func waits(_ port: Port, until instant: SimInstant?)
}

/// The port of one seat: its present partner, what went through, and the lines about it.
///
/// Belongs to the loop's thread, as everything here does.
final class Port {
  let configuration: PortConfiguration
  unowned let owner: any PortOwner
  var report: PortReport
  /// Where it really is, once it is open.
  var place: OpenPort
  /// The partner that has the seat.
  private(set) var current: H4Connection?
  /// A controller that is connected and waits for time to begin.
  var controller: H4Connection?
  private var log: PortLog
  /// Closes what listens, and takes away what was put into the file system.
  var closers: [() -> Void] = []
  /// Called when the seat is free again and the run goes on.
  var vacated: (() -> Void)?
  private(set) var isClosed = false

  init(_ configuration: PortConfiguration, owner: any PortOwner, log: @escaping (String) -> Void) {
    self.configuration = configuration
    self.owner = owner
    report = PortReport(name: configuration.name, address: configuration.text(of: configuration.address))
    place = OpenPort(
      device: configuration.device, name: configuration.name, address: configuration.address,
      isForAir: configuration.partner == .linkLayer, terminal: nil)
    self.log = PortLog(name: configuration.name, write: log)
  }

  func line(_ text: String) { log.line(text) }

  /// Gives a controller that was connected its seat.
  func seatController() throws(PortError) {
    guard let controller else { return }
    self.controller = nil
    guard controller.isActive else {
      throw PortError("\(configuration.address): the controller was gone again before time began")
    }
    controller.takeSeat()
  }

  /// Gives the seat to a connection; false when it is taken.
  func seat(_ connection: H4Connection) -> Bool {
    guard !isClosed else { return false }
    guard current == nil else {
      report.refusals += 1
      line("the seat is taken: \(connection.partner) is turned away")
      return false
    }
    current = connection
    report.attachments += 1
    line("\(connection.partner) has taken the seat")
    return true
  }

  /// The seat is free again. One line says why.
  func vacate(_ connection: H4Connection, reason: String) {
    guard current === connection else { return }
    current = nil
    line("\(connection.partner) \(reason)")
    if !connection.isMuted { enter(.detached, stamp: owner.clock) }
    if !isClosed { vacated?() }
  }

  @discardableResult
  func enter(_ event: ForeignEvent, stamp: SimInstant) -> Bool {
    isClosed ? false : owner.arrived(event, port: self, stamp: stamp)
  }

  /// Gives a packet of the world to the partner that has the seat. It leaves with the next `flush`.
  func send(_ packet: [UInt8]) {
    guard let current, !current.isMuted else { return report.unclaimedPackets += 1 }
    report.packetsOut += 1
    current.send(packet)
  }

  func flush() { current?.flush() }

  /// At the end: what is no whole packet by now never will be.
  func countHalfPacket() { report.discardedOctets += current?.halfPacket ?? 0 }

  /// May be called again, for what was opened meanwhile.
  func close() {
    isClosed = true
    current?.close()
    current = nil
    for closer in closers { closer() }
    closers.removeAll()
    vacated = nil
  }
}
