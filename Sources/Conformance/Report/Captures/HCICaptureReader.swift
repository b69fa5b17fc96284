public import Bench
import BluetoothWire
import CaptureFormats
public import Judging
import SimKernel
import VirtualRadio

/// Writes the HCI seam of every device into a btsnoop file of its own, which `btmon -r` and Wireshark open.
///
/// Files are `<folder>/<device>.btsnoop`; characters of a device's name that are not letters, digits, `-` or `_` become
/// `_`, and a name that is taken already gets the device's number after it. Times start at `CaptureEpoch`, in whole
/// microseconds. Memory does not grow with the run.
public final class HCICaptureReader: TraceReader {
  private let folder: String
  private var files: [WholeFile?] = []
  private var failure: WholeFileError?

  /// Makes the folder unless it is there.
  public init(folder: String) throws(WholeFileError) {
    self.folder = folder
    try WholeFile.makeFolder(folder)
  }

  public var wantsHCI: Bool { true }

  public func begin(_ header: TraceHeader) {
    for name in Self.fileNames(header.devices.map(\.name)) { files.append(file(name)) }
  }

  public func joins(_ header: TraceHeader, device: Int) {
    files[device] = file(Self.fileNames(header.devices.map(\.name))[device])
  }

  private func file(_ name: String) -> WholeFile? {
    do {
      let file = try WholeFile(path: folder + "/" + name)
      BTSnoop.appendHeader(to: &file.buffer)
      return file
    } catch {
      failure = failure ?? error
      return nil
    }
  }

  public func read(_ record: TraceRecord) {
    guard case .radio(let event) = record.event else { return }
    switch event {
    case .air: break
    case .hciCommand(let command): write(command.h4Octets, record, isReceived: false, isCommandOrEvent: true)
    case .hciEvent(let event): write(event.h4Octets, record, isReceived: true, isCommandOrEvent: true)
    case .aclToController(let data): write(data.h4Octets, record, isReceived: false, isCommandOrEvent: false)
    case .aclToHost(let data): write(data.h4Octets, record, isReceived: true, isCommandOrEvent: false)
    case .isoToController(let data): write(data.h4Octets, record, isReceived: false, isCommandOrEvent: false)
    case .isoToHost(let data): write(data.h4Octets, record, isReceived: true, isCommandOrEvent: false)
    }
  }

  /// Gives every file its name; to be called once, after `end`. The first failure of any file is thrown, after all
  /// others have been finished.
  public func close() throws(WholeFileError) {
    for file in files {
      do { try file?.finish() } catch { failure = failure ?? error }
    }
    files = []
    if let failure { throw failure }
  }

  private func write(_ packet: [UInt8], _ record: TraceRecord, isReceived: Bool, isCommandOrEvent: Bool) {
    guard files.indices.contains(record.device), let file = files[record.device] else { return }
    BTSnoop.appendRecord(
      packet, nanoseconds: record.instant.nanoseconds, isReceived: isReceived, isCommandOrEvent: isCommandOrEvent,
      to: &file.buffer)
    file.flushWhenFull()
  }

  /// One file name per device, in the order of the devices, all different.
  package static func fileNames(_ devices: [String]) -> [String] {
    var taken: [String] = []
    for (index, device) in devices.enumerated() {
      let letters = device.unicodeScalars.map { scalar -> Character in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": Character(scalar)
        default: "_"
        }
      }
      // A file system may take names that differ in case for the same one.
      var name = letters.isEmpty ? "device" : String(letters)
      while taken.contains(where: { $0.lowercased() == name.lowercased() }) { name += "-\(index)" }
      taken.append(name)
    }
    return taken.map { $0 + ".btsnoop" }
  }
}
