/// Why a program ends before its input does.
enum ProgramEnd: Error, Hashable {
  /// The bench said something that is not in the protocol, or not for this program.
  case notInProtocol(String)
  /// The app cannot run on: it spins, its main queue waits forever, or a phone would have ended it.
  case stopped(String)

  /// As in sysexits(3): `EX_PROTOCOL`, `EX_SOFTWARE`.
  var exitCode: Int32 {
    switch self {
    case .notInProtocol: 76
    case .stopped: 70
    }
  }
}

extension ProgramEnd: CustomStringConvertible {
  var description: String {
    switch self {
    case .notInProtocol(let text): "this line is not in the IUT protocol: \(text)"
    case .stopped(let text): "the app is stopped: \(text)"
    }
  }
}
