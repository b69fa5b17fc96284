public import AppSeam
public import SimKernel

/// Reads a run as it happens: captures, oracles, reports and the screen are readers; nothing else is asked how a run
/// went.
///
/// A reader must not keep a run alive or change it; the same run with other readers has the same digest.
public protocol TraceReader: AnyObject {
  /// Whether this reader needs every PDU on the air (`RadioEvent.air`).
  var wantsAir: Bool { get }
  /// Whether this reader needs the HCI seam of every device.
  var wantsHCI: Bool { get }
  /// Whether this reader needs every packet of the network (`NetworkEvent.packet`).
  var wantsNetwork: Bool { get }
  /// Called once, before the first record.
  func begin(_ header: TraceHeader)
  /// Called when a device comes to a room that lives, before its first record: what the header says of it now. It takes
  /// the place of a device of which there is no record.
  func joins(_ header: TraceHeader, device: Int)
  func read(_ record: TraceRecord)
  /// Whether a report makes no difference to this reader: it is asked before a record is made, and handed none if all
  /// readers say so.
  func ignores(_ report: AppReport, device: Int, at instant: SimInstant) -> Bool
  /// Called when an app is launched that has promised to make these reports (`PromisingEngine`), by their names.
  func promises(_ reports: [String], device: Int)
  /// Called once, after the last record.
  func end(_ outcome: RunOutcome)
}

extension TraceReader {
  public var wantsAir: Bool { false }
  public var wantsHCI: Bool { false }
  public var wantsNetwork: Bool { false }
  public func begin(_ header: TraceHeader) {}
  public func joins(_ header: TraceHeader, device: Int) {}
  public func ignores(_ report: AppReport, device: Int, at instant: SimInstant) -> Bool { false }
  public func promises(_ reports: [String], device: Int) {}
  public func end(_ outcome: RunOutcome) {}
}
