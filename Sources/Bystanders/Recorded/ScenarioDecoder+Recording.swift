import AppSeam
import Bench
import BluetoothWire
import VirtualRadio

extension ScenarioDecoder {
  /// The recording that a device plays; nil: it has none, or what is wrong with it was noted.
  func recording(of device: inout Device, _ fields: Fields) -> AppSettings? {
    guard let tree = fields["recording"] else {
      for key in ["peer", "link"] where fields[key] != nil {
        note(fields.keyLocation(key), "“\(key)” says which device of a capture is meant; write “recording:” beside it")
      }
      if device.role == .peripheral, device.program == nil {
        note(
          fields.location, "“\(device.name)” plays a recorded device; write “recording: ./capture.btsnoop”, or “app:”")
      }
      return nil
    }
    if device.program != nil {
      return refuse(fields.keyLocation("recording"), "“recording” and “app” are both there; keep one")
    }
    guard let written = text(tree, "“recording”"), let choice = choice(fields) else { return nil }
    guard let path = path(ofFile: written) else {
      return refuse(tree.location, "recordings cannot be read here; run the scenario from its file")
    }
    if let refusal = ScenarioFile.refusal(ofFile: path) {
      return refuse(tree.location, "“\(shown(written))” is no recording: \(refusal)")
    }
    do throws(RecordingReader.Refusal) {
      let recording = try RecordingReader.read(path, shown: shown(written), choice)
      lend(recording, to: &device)
      return AppSettings(Played(file: written, recording: recording))
    } catch {
      let key = fields["peer"] ?? fields["link"]
      return refuse(error.isAboutChoice ? key?.location ?? tree.location : tree.location, error.text)
    }
  }

  /// What of the device its phone has: ATT_MTU, name and address, where the scenario does not say another. The phone
  /// of a client has its ATT_MTU only.
  private func lend(_ recording: Recording, to device: inout Device) {
    func inLimits(_ mtu: Int) -> Int { min(max(mtu, ATT.defaultMTU), ATT.largestMTU) }
    guard device.role == .peripheral else {
      if let mtu = recording.clientMTU { device.phone.att.clientMTU = inLimits(mtu) }
      return
    }
    if let mtu = recording.serverMTU { device.phone.att.serverMTU = inLimits(mtu) }
    device.gapName = recording.name
    device.address = recording.address
  }

  private func choice(_ fields: Fields) -> RecordingReader.Choice? {
    var choice = RecordingReader.Choice()
    if let tree = fields["peer"] {
      guard let text = text(tree, "“peer”") else { return nil }
      guard let bits = BluetoothAddress.bits(of: text) else {
        return refuse(tree.location, "“\(shown(text))” is no address; write six pairs of digits, as C0:FF:EE:12:34:56")
      }
      choice.address = bits
    }
    if let tree = fields["link"] {
      guard let number = integer(tree, "“link”", 0...1_000_000) else { return nil }
      choice.link = number
    }
    return choice
  }
}
