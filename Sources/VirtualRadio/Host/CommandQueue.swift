import BluetoothWire
import SimKernel

/// HCI commands on their way: one is in flight, the others wait (Vol 4, Part E, 4.4). A host may use less credit than
/// it has; with none it waits until the controller gives some.
struct CommandQueue {
  /// What the answer to a command means to the stack.
  enum Purpose: Equatable {
    case reset
    case readSupportedCommands
    case initialisation
    /// Without it nothing else works; a refusal is the controller's fault.
    case requiredSetting
    case readBufferSize
    case readSharedBufferSize
    case advertisingSetup
    case advertisingUpdate
    case advertisingEnable
    case advertisingDisable
    case setSetup(UInt8)
    case setEnable(UInt8)
    case scanning
    case createConnection
    case cancelConnection
    case disconnect(HCI.ConnectionHandle)
    case remoteFeatures(HCI.ConnectionHandle)
    /// A setting of the controller; a refusal changes nothing.
    case setting
    /// A setting of one link; a refusal changes nothing.
    case link(HCI.ConnectionHandle)
    case dataLength(HCI.ConnectionHandle)
    case rssi(HCI.ConnectionHandle)
    case phy(HCI.ConnectionHandle)
    case readPHY(HCI.ConnectionHandle)
    case encryption(HCI.ConnectionHandle)
    /// Octets for the pairing of a link.
    case randomDraw(HCI.ConnectionHandle)
    case publicKey
    case secret
  }

  struct Entry {
    var command: HCI.Command
    var purpose: Purpose
  }

  var inFlight: Entry?
  /// The controller's last answer gave no credit.
  var isHeldBack = false
  private var waiting: [Entry] = []

  mutating func append(_ entry: Entry) { waiting.append(entry) }

  /// Takes the next command into flight; nil when one is in flight already, when none waits, and without credit.
  mutating func takeNext() -> Entry? {
    guard inFlight == nil, !isHeldBack, !waiting.isEmpty else { return nil }
    inFlight = waiting.removeFirst()
    return inFlight
  }

  var hasWaiting: Bool { !waiting.isEmpty }

  /// Whether such a command is in flight or waiting.
  func contains(_ purpose: Purpose) -> Bool {
    inFlight?.purpose == purpose || waiting.contains { $0.purpose == purpose }
  }

  /// Drops the waiting commands of a link that is gone.
  mutating func dropLink(_ handle: HCI.ConnectionHandle) {
    waiting.removeAll {
      $0.purpose == .link(handle) || $0.purpose == .disconnect(handle) || $0.purpose == .dataLength(handle)
        || $0.purpose == .remoteFeatures(handle) || $0.purpose == .encryption(handle)
        || $0.purpose == .randomDraw(handle) || $0.purpose == .rssi(handle) || $0.purpose == .phy(handle)
        || $0.purpose == .readPHY(handle)
    }
  }
}

extension HostStack {
  /// How long a controller may take to answer a command; Part E leaves it open, Linux hosts wait as long.
  static let commandTimeout = SimDuration.seconds(2)

  func enqueue(_ command: HCI.Command, _ purpose: CommandQueue.Purpose) {
    for command in configuration.usesExtendedAdvertising ? inExtendedCommands(command) : [command] {
      commands.append(CommandQueue.Entry(command: command, purpose: purpose))
    }
    submitNextCommand()
  }

  /// The controller has said how many commands it takes; 0 holds the next one back, for a limited time.
  func allowCommands(_ count: UInt8) {
    commands.isHeldBack = count == 0
    guard commands.isHeldBack, commands.inFlight == nil else { return submitNextCommand() }
    waitForCredit()
  }

  private func waitForCredit() {
    guard commands.isHeldBack, commands.inFlight == nil, commands.hasWaiting, commandDeadline == nil else { return }
    commandDeadline = now + Self.commandTimeout
    isDeadlineCacheStale = true
  }

  private func submitNextCommand() {
    waitForCredit()
    while let entry = commands.takeNext() {
      if entry.purpose == .advertisingEnable, let failure = advertiser.setupFailure {
        commands.inFlight = nil
        advertisingEnabled(failure)
        continue
      }
      if failsToEnable(entry.purpose) {
        commands.inFlight = nil
        continue
      }
      commandDeadline = now + Self.commandTimeout
      isDeadlineCacheStale = true
      door.submit(entry.command)
      return
    }
  }

  @inline(never) func receive(_ event: HCI.Event) {
    switch event {
    case .numberOfCompletedPackets(let list):
      if power == .on { receiveCompletedPackets(list) }
    case .commandComplete(let opcode, let status, let parameters):
      commandAnswered(opcode, status, parameters)
    case .commandStatus(let opcode, let status):
      commandAnswered(opcode, status, [])
    case .other(code: HCI.MultiAdvertisingEnded.eventCode, let parameters): receiveVendorEvent(parameters)
    case .hardwareError(let code):
      if power == .off { return }
      emit(.controllerFault("hardware error \(code)"))
      restart()
    default:
      if power == .on { receiveRadioEvent(event) }
    }
  }

  private func commandAnswered(_ opcode: HCI.Opcode, _ status: HCI.ErrorCode, _ parameters: [UInt8]) {
    // Answers with opcode 0 only give command credits; answers to what is no longer awaited are left over from before
    // a reset.
    guard let entry = commands.inFlight, entry.command.opcode == opcode else { return }
    finishCommand(entry, status, parameters)
  }

  func commandTimedOut() {
    guard let entry = commands.inFlight else {
      commandDeadline = nil
      guard commands.isHeldBack, commands.hasWaiting else { return }
      emit(.controllerFault("no command was taken for 2 s"))
      return allowCommands(1)
    }
    emit(.controllerFault("command 0x\(String(entry.command.opcode.rawValue, radix: 16)) was not answered"))
    if entry.purpose == .reset { return restart() }
    // What an answer would have given back is lost with it.
    commands.isHeldBack = false
    finishCommand(entry, .llResponseTimeout, [])
  }

  private func finishCommand(_ entry: CommandQueue.Entry, _ status: HCI.ErrorCode, _ parameters: [UInt8]) {
    commands.inFlight = nil
    commandDeadline = nil
    isDeadlineCacheStale = true
    switch entry.purpose {
    case .reset: resetAnswered(status)
    case .readSupportedCommands:
      supportedCommands = status == .success ? SupportedCommandMask(parameters) : SupportedCommandMask([])
      sendInitialisation()
    case .initialisation: break
    case .requiredSetting:
      if status != .success { emit(.controllerFault("\(entry.command.opcode) refused with status \(status.rawValue)")) }
    case .readBufferSize: bufferSizeRead(status, parameters)
    case .readSharedBufferSize: sharedBufferSizeRead(status, parameters)
    case .advertisingSetup:
      if status != .success, advertiser.setupFailure == nil { advertiser.setupFailure = status }
    case .advertisingUpdate: advertisingUpdated(status)
    case .advertisingEnable: advertisingEnabled(status)
    case .advertisingDisable: advertisingDisabled(status)
    case .setSetup(let set): setupOfSetAnswered(set, status)
    case .setEnable(let set): setEnabled(set, status)
    case .scanning: if status != .success { scanningRefused(status) }
    case .createConnection: if status != .success { connectionAttemptEnded(status) }
    case .cancelConnection: break
    case .disconnect(let handle): if status != .success { disconnectRefused(handle, status) }
    case .remoteFeatures(let handle):
      if status != .success, let link = link(handle) { requestDataLength(link) }
    case .link, .setting: break
    case .dataLength(let handle): if let link = link(handle) { requestPHY(link) }
    case .rssi(let handle): rssiRead(handle, status, parameters)
    case .phy(let handle):
      if status != .success, link(handle) != nil { emit(.phyRefused(handle, status)) }
    case .readPHY(let handle): phyRead(handle, status, parameters)
    case .encryption(let handle): encryptionAnswered(handle, status)
    case .randomDraw(let handle): randomDrawn(handle, status, parameters)
    case .publicKey: if status != .success { publicKeyRead(nil) }
    case .secret: if status != .success { secretGenerated(nil) }
    }
    submitNextCommand()
  }
}
