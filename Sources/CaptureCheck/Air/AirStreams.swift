import BluetoothWire
import CaptureFormats

/// Access addresses on the air that are those of no connection, as PDUs that were read say, and how many PDUs had them.
struct AirStreams {
  private static let limit = 256

  private struct Known {
    var accessAddress: UInt32
    var file: Int
    var stream: AirStream
    var crcInit: UInt32?
    /// What its PDUs are called; nil: as those of an ordinary train.
    var kind: AuxiliaryKind?
  }

  private var known: [Known] = []
  /// What was not followed, by file.
  private(set) var unjudged: [(file: Int, stream: AirStream, first: Int, records: Int)] = []

  func stream(_ accessAddress: UInt32, file: Int) -> AirStream? {
    if known.isEmpty { return nil }
    return known.last { $0.accessAddress == accessAddress && $0.file == file }?.stream
  }

  /// The initial value of the CRC of a train whose SyncInfo was read.
  func crcInit(_ accessAddress: UInt32, file: Int) -> UInt32? {
    known.last { $0.accessAddress == accessAddress && $0.file == file }?.crcInit
  }

  /// What PDUs with an access address are of a train with subevents; nil: it is an ordinary one.
  func kind(_ accessAddress: UInt32, file: Int) -> AuxiliaryKind? {
    known.last { $0.accessAddress == accessAddress && $0.file == file }?.kind
  }

  mutating func count(_ stream: AirStream, at place: PacketPlace) {
    if let index = unjudged.firstIndex(where: { $0.file == place.file && $0.stream == stream }) {
      unjudged[index].records += 1
    } else {
      unjudged.append((place.file, stream, place.number, 1))
    }
  }

  /// `LL_CIS_IND`: `Opcode: 1 | AA: 4 | CIS_Offset: 3 | CIG_Sync_Delay: 3 | CIS_Sync_Delay: 3 | connEventCount: 2`.
  /// Spec: Core v5.4, Vol 6, Part B, 2.4.2.31.
  mutating func learn(control payload: ArraySlice<UInt8>, file: Int) {
    guard payload.count == 16, payload.first == LL.ControlOpcode.cisInd else { return }
    learn(OctetFields(payload).u32(1), file, .connectedIsochronous)
  }

  /// `SyncInfo` has access address and CRC of periodic advertising (2.3.4.6), and ACAD beside it the access address of
  /// responses, whose CRC is the same (3.1.1).
  mutating func learn(_ syncInfo: LL.SyncInfo, _ timing: LL.ResponseTiming? = nil, file: Int) {
    learn(syncInfo.accessAddress, file, .periodicAdvertising, syncInfo.crcInit, timing == nil ? nil : .subeventInd)
    if let timing { learn(timing.accessAddress, file, .periodicAdvertising, syncInfo.crcInit, .subeventRsp) }
  }

  private mutating func learn(
    _ accessAddress: UInt32, _ file: Int, _ stream: AirStream, _ crcInit: UInt32? = nil, _ kind: AuxiliaryKind? = nil
  ) {
    if let place = known.lastIndex(where: { $0.accessAddress == accessAddress && $0.file == file }),
      known[place].stream == stream
    {
      (known[place].crcInit, known[place].kind) = (crcInit, kind)
      return
    }
    if known.count == Self.limit { known.removeFirst() }
    known.append(Known(accessAddress: accessAddress, file: file, stream: stream, crcInit: crcInit, kind: kind))
  }
}
