import BluetoothWire
import CaptureFormats

/// Access addresses on the air that are those of no connection, as PDUs that were read say, and how many PDUs had them.
struct AirStreams {
  private static let limit = 256

  private var known: [(accessAddress: UInt32, file: Int, stream: AirStream, crcInit: UInt32?)] = []
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

  /// `SyncInfo` has access address and CRC of periodic advertising (2.3.4.6).
  mutating func learn(_ syncInfo: LL.SyncInfo, file: Int) {
    learn(syncInfo.accessAddress, file, .periodicAdvertising, syncInfo.crcInit)
  }

  private mutating func learn(
    _ accessAddress: UInt32, _ file: Int, _ stream: AirStream, _ crcInit: UInt32? = nil
  ) {
    if let place = known.lastIndex(where: { $0.accessAddress == accessAddress && $0.file == file }),
      known[place].stream == stream
    {
      known[place].crcInit = crcInit
      return
    }
    if known.count == Self.limit { known.removeFirst() }
    known.append((accessAddress, file, stream, crcInit))
  }
}
