import AppSeam
import BluetoothWire
import Platform
import SimKernel

/// What passes the app seam, in words; values and reports, which have words of their own, are named only.
enum EventWords {
  static func of(_ input: AppInput) -> String {
    switch input {
    case .launched: "its app was launched"
    case .radioPower(let isOn): "Bluetooth is \(isOn ? "on" : "off")"
    case .background(let isSuspended): isSuspended ? "its app is in the background" : "its app is in front"
    case .advertisingStarted(let hasBegun): hasBegun ? "advertising has begun" : "advertising was refused"
    case .discovered(let advertisement):
      "found \(advertisement.address)" + (advertisement.localName.map { " called “\($0)”" } ?? "")
    case .connected(let link, let peer): "link \(link.rawValue) with \(peer) is up"
    case .connectFailed(let peer, let reason): "no link with \(peer): \(of(reason))"
    case .disconnected(let link, let reason): "link \(link.rawValue) ended: \(of(reason))"
    case .attMTU(let link, let attMTU): "the ATT_MTU of link \(link.rawValue) is \(attMTU)"
    case .servicesDiscovered(let link, let service, let characteristics):
      "link \(link.rawValue) has \(CountedNoun.text(characteristics.count, "characteristic")) of service \(service)"
        + (characteristics.last.map { $0.instance > 0 ? ", which its peer has \($0.instance + 1) times" : "" } ?? "")
    case .subscribed(let link, let characteristic, let isOn):
      "\(characteristic) is \(isOn ? "subscribed to" : "not subscribed to") on link \(link.rawValue)"
    case .valueReceived(let link, let characteristic, _):
      "a value of \(characteristic) came on link \(link.rawValue)"
    case .valueRead(let link, let characteristic, let octets):
      octets == nil
        ? "reading \(characteristic) on link \(link.rawValue) was refused"
        : "\(characteristic) was read on link \(link.rawValue)"
    case .submitted(let link, let characteristic, let accepted):
      "a value of \(characteristic) for link \(link.rawValue) was \(accepted ? "taken" : "not taken")"
    case .readyToSend(let link): "the queue of link \(link.rawValue) has room again"
    case .writeCompleted(let link, let characteristic, let error):
      "writing \(characteristic) on link \(link.rawValue) "
        + (error.map { "was refused: ATT error " + ATT.ErrorCode($0).text } ?? "was confirmed")
    case .timer(let timer): "timer \(timer.rawValue) is due"
    case .user(let action): "its user: \(action)"
    case .gatt(let word):
      if case .gatt = input.plain { ShownText.oneLine("is told \(word.shape)") } else { of(input.plain) }
    case .gap: of(input.plain)
    case .channel(let word): ShownText.oneLine("is told \(word.shape)")
    case .network(let input): ShownText.oneLine(NetworkWords.of(input))
    }
  }

  static func of(_ effect: AppEffect) -> String {
    switch effect {
    case .publish(let service): "publishes service \(service.uuid)"
    case .advertise(let request): "advertises as “\(request.localName)”"
    case .stopAdvertising: "stops advertising"
    case .scan(let services):
      services.isEmpty ? "scans" : "scans for " + services.map(\.description).joined(separator: ", ")
    case .stopScanning: "stops scanning"
    case .connect(let peer): "connects to \(peer)"
    case .cancelConnect(let peer): "no longer connects to \(peer)"
    case .disconnect(let link): "ends link \(link.rawValue)"
    case .exchangeMTU(let link, let attMTU): "asks for an ATT_MTU of \(attMTU) on link \(link.rawValue)"
    case .discover(let link, let service): "looks for service \(service) on link \(link.rawValue)"
    case .subscribe(let link, let characteristic, let isOn):
      (isOn ? "subscribes to" : "unsubscribes from") + " \(characteristic) on link \(link.rawValue)"
    case .read(let link, let characteristic): "reads \(characteristic) on link \(link.rawValue)"
    case .write(let link, let characteristic, _), .writeWithoutResponse(let link, let characteristic, _):
      "writes \(characteristic) on link \(link.rawValue)"
    case .notify(let link, let characteristic, _): "notifies \(characteristic) on link \(link.rawValue)"
    case .setValue(let characteristic, _): "sets the value of \(characteristic)"
    case .setTimer(let timer, let instant): "sets timer \(timer.rawValue) to \(instant) s"
    case .cancelTimer(let timer): "cancels timer \(timer.rawValue)"
    case .gatt(let word):
      if case .gatt = effect.plain { ShownText.oneLine("asks \(word.shape)") } else { of(effect.plain) }
    case .gap(let word):
      if case .gap = effect.plain { ShownText.oneLine("asks \(word.shape)") } else { of(effect.plain) }
    case .channel(let word): ShownText.oneLine("asks \(word.shape)")
    case .network(let effect): ShownText.oneLine(NetworkWords.of(effect))
    case .keep(let octets): "keeps \(CountedNoun.text(octets.count, "octet")) for its next launch"
    case .keepMore(let octets): "keeps \(CountedNoun.text(octets.count, "octet")) more for its next launch"
    case .report(let report): "shows \(report)"
    }
  }

  static func of(_ fault: FaultEvent) -> String {
    switch fault {
    case .vanish: "the device vanishes"
    case .appear: "the device is back"
    case .radioOff: "Bluetooth is switched off"
    case .radioOn: "Bluetooth is switched on"
    case .kill: "the app is killed"
    case .reclaim: "the system ends the app and keeps its Bluetooth"
    case .relaunch: "the app is launched again"
    case .background: "the app goes to the background"
    case .foreground: "the app comes to the front"
    case .screenOff: "the screen goes off"
    case .screenOn: "the screen is on again"
    case .disconnect(let link): "the stack ends link \(link.rawValue)"
    case .move(let x, let y, let z): "the device is moved to (\(x), \(y), \(z)) cm"
    case .network(let fault): NetworkWords().of(fault)
    case .forgetBonds(let peer): "the device loses \(peer == nil ? "its bonds" : "its bond with one device")"
    case .failure(let operation, let link, let asker, let code):
      "\(operation.words)\(asker == .peers ? " of a peer" : "")\(link.map { " on link \($0.rawValue)" } ?? "")"
        + " fails on order with " + (operation == .connect ? HCI.ErrorCode(code).reasonText : ATT.ErrorCode(code).text)
    case .message(let fault, let link, _, let octets):
      "a value of \(CountedNoun.text(octets.count, "octet")) on link \(link.rawValue): \(fault.rawValue)"
    }
  }

  static func of(_ reason: HCI.ErrorCode) -> String { "reason " + reason.reasonText }
}
