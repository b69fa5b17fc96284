import Expectations
import Foundation
import Testing

/// The files of a release: those in `BABBENCH_RELEASE_FOLDER`, or such as `./release` makes with a stand-in for the
/// program, which plays a single case where it is told to play all.
enum CIRelease {
  static let real = ProcessInfo.processInfo.environment["BABBENCH_RELEASE_FOLDER"]

  private static let standIn = Result { try made() }

  /// Whether this machine can make and unpack one; says what it lacks.
  static let isPossible: Bool = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let absent = ["bash", "curl", "dpkg-deb", "python3", "xz"].filter { tool in
      !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
    }
    for tool in absent { print("absent: \(tool); the recipes of Docs/CI.md are not run") }
    return absent.isEmpty
  }()

  static func folder() throws -> String { try real ?? standIn.get() }

  private static func made() throws -> String {
    let folder = NSTemporaryDirectory() + "babbench-release-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let program = folder + "/stand-in"
    let script = """
      #!/bin/sh
      [ "$1" != conform ] || set -- "$@" --select BAB/HOST/LOBBY/BV-02-C
      exec '\(Executable.url.path)' "$@"

      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    atexit { try? FileManager.default.removeItem(atPath: NSTemporaryDirectory() + "babbench-release-\(getpid())") }
    let ending = try CIShell.run("./release --program '\(program)' --out '\(folder)/files'", in: Repository.root.path)
    try require(ending.status == 0, "\(ending.output)")
    return folder + "/files"
  }
}

/// A shell that knows nothing of who started it.
struct CIShell {
  struct Ending {
    var status: Int32
    var output: String
  }

  /// A root with nothing in it except what a recipe's image has; see Packaging/prove.
  static let bareRoot = ProcessInfo.processInfo.environment["BABBENCH_BARE_ROOT"]

  /// Runs a script with the options that CI services give to it. `environment` is all that it sees besides the path.
  static func run(
    _ script: String, in folder: String, path: [String] = [], environment: [String: String] = [:], root: String? = nil
  ) throws -> Ending {
    var places = path + ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
    // The tools of this machine, where a recipe runs on it: Python and the compiler may be elsewhere.
    if root == nil, let own = ProcessInfo.processInfo.environment["PATH"] { places.append(own) }
    let inside = root.map { String(folder.dropFirst($0.count)) } ?? folder
    var arguments = ["-i", "PATH=" + places.joined(separator: ":"), "HOME=" + inside, "LC_ALL=C.UTF-8"]
    for (name, value) in environment.sorted(by: { $0.key < $1.key }) { arguments.append(name + "=" + value) }
    if let root { arguments += ["chroot", root] }
    arguments += ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", "cd '\(inside)'\n" + script]
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Ending(status: process.terminationStatus, output: text)
  }
}
