import CaptureFormats
import SimKernel

@testable import CaptureCheck

extension PacketInspector {
  /// The lines of one record; nil when the filter keeps it back.
  func lines(_ record: CaptureRecord, file: Int, at instant: SimInstant) -> String? {
    var text = PacketText()
    return append(record, file: file, at: instant, to: &text) ? text.description : nil
  }
}
