public import CaptureFormats
import Foundation

/// Packets as they pass, taken by a thread that does nothing else, so that their writer or judge may be slow.
///
/// Up to 64 MB wait for the caller. Beyond, the thread waits too, and then the kernel throws away what its own buffer
/// does not hold, and counts it; a pipe makes its writer wait.
public final class LiveCapture: @unchecked Sendable {
  // `@unchecked`: all that changes is guarded by `condition`, and `source` belongs to the thread once that runs.

  /// What came since the last time.
  public struct Batch: Sendable {
    public var records: [CaptureRecord]
    /// Packets that the kernel has thrown away since the start because its buffer was full; nil: they are not counted.
    public var kernelDrops: UInt64?
    /// Not nil in the last batch.
    public var ending: Ending?
  }

  /// Why nothing more will come.
  public enum Ending: Hashable, Sendable {
    /// `stop` was called, and what had passed until then has been taken.
    case stopped
    /// The writer of standard input has ended; with what there is to say about it.
    case ended(remark: String?)
    case failed(PortError)
  }

  private static let waitingOctets = 64 << 20
  /// For a record that waits, besides its octets.
  private static let recordOverhead = 160
  /// A source that never falls silent is left after this long, in milliseconds.
  private static let drainLimit = 2_000

  public let interface: CaptureInterface
  /// What the kernel holds back for us at most, in octets; nil where it has no such buffer.
  public let bufferOctets: Int?
  private let source: any PacketSource

  private let condition = NSCondition()
  private var waiting: [CaptureRecord] = []
  private var waitingCost = 0
  private var drops: UInt64?
  private var ending: Ending?

  /// As much as a burst of some 80 000 small packets needs: the kernel charges about 800 octets for each.
  public static let defaultBuffer = 64 << 20

  /// Opens the interface: from here on the kernel holds packets for us.
  /// - Parameter buffer: octets that the kernel is to hold at most; it may allow less.
  public convenience init(_ interface: CaptureInterface, buffer: Int = defaultBuffer) throws(PortError) {
    let source: any PacketSource
    switch interface {
    case .monitor: source = try MonitorSource(buffer: buffer)
    case .libpcap(let device): source = try PcapSource(interface, device: device, buffer: buffer)
    case .standardInput: source = try StreamSource(STDIN_FILENO)
    }
    self.init(interface, source)
  }

  init(_ interface: CaptureInterface, _ source: any PacketSource) {
    self.interface = interface
    self.source = source
    bufferOctets = source.bufferOctets
    drops = source.kernelDrops.map(UInt64.init)
  }

  /// Begins to take packets, until the source ends or `stop` says so. To be called once.
  public func start(until stop: LiveStop) {
    let signal = stop.makeDescriptor()
    let thread = Thread { [self] in
      receive(until: signal)
      source.close()
      if let signal { Descriptor.shut(signal) }
    }
    thread.name = "capture"
    thread.start()
  }

  /// Waits until something has come, but no longer than that, and gives all of it.
  public func next(within seconds: Double) -> Batch {
    let deadline = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while waiting.isEmpty, ending == nil, condition.wait(until: deadline) {}
    let batch = Batch(records: waiting, kernelDrops: drops, ending: ending)
    waiting = []
    waitingCost = 0
    condition.broadcast()
    return batch
  }

  // MARK: The thread

  private func receive(until signal: CInt?) {
    var stopping: ContinuousClock.Instant?
    var stopTime = Int64.max
    while true {
      var descriptors = [
        pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stopping == nil ? signal ?? -1 : -1, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&descriptors, 2, stopping == nil ? -1 : source.drainPatience)
      if ready < 0 && errno != EINTR {
        return end(.failed(PortError("\(interface): cannot be waited for: \(PortError.reason(code: errno))")))
      }
      if ready == 0 { return end(.stopped) }
      if descriptors[1].revents != 0 {
        stopping = .now
        // Traffic that goes on must not keep us: what passes from now on is no longer asked for.
        if source.drainPatience == 0 { stopTime = Int64(Date().timeIntervalSince1970 * 1_000_000_000) }
      }
      if descriptors[0].revents != 0, !collect(until: stopTime) { return }
      if let stopping, stopping.duration(to: .now) > .milliseconds(Self.drainLimit) { return end(.stopped) }
    }
  }

  /// - Parameter time: since 1970, in nanoseconds; nothing later is wanted.
  /// - Returns: false when that was all.
  private func collect(until time: Int64) -> Bool {
    var records: [CaptureRecord] = []
    var ending: Ending?
    do {
      if try !source.collect(into: &records) { ending = .ended(remark: source.remark) }
    } catch {
      ending = .failed(error)
    }
    if ending == nil, let last = records.last, last.nanoseconds > time { ending = .stopped }
    hand(over: records)
    if let ending { end(ending) }
    return ending == nil
  }

  private func hand(over records: [CaptureRecord]) {
    let cost = records.reduce(0) { $0 + $1.octets.count + Self.recordOverhead }
    let count = source.kernelDrops
    condition.lock()
    defer { condition.unlock() }
    while waitingCost > Self.waitingOctets { condition.wait() }
    waiting += records
    waitingCost += cost
    if let count, let known = drops { drops = known + UInt64(count &- UInt32(truncatingIfNeeded: known)) }
    condition.broadcast()
  }

  private func end(_ ending: Ending) {
    condition.lock()
    defer { condition.unlock() }
    self.ending = ending
    condition.broadcast()
  }
}
