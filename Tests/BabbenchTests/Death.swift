import Foundation

/// A host that says hello, answers its first input, and dies of the second, or does worse.
struct Death: Sendable, CustomStringConvertible {
  var description: String
  /// The files of its folder by name; `engine` is the one that is started.
  var files: [String: String]
  /// Words of the description file: what is started, and with which limits.
  var command: String
  var limits = "answer-timeout: 5min, end-timeout: 5min"

  /// The one cause of all its cases.
  var cause: String
  /// A part of what was seen.
  var saw: String
  var exitCode: Int?
  var signal: String?
  /// `file:line`
  var crash: String?
  var lastOutput: String?
  /// A line of standard error that has to be shown.
  var errorLine: String?
  var needsPython = false

  private static let hello = #"read -r line; echo '{"name":"hello","protocol":1}'"#
  private static let ask = #"read -r line || exit 0; at=${line#*:}; at=${at%%,*}"#
  private static let answer = #"echo "{\"at\":$at,\"effects\":[]}""#
  /// Dies as a shell does that is told to do this.
  private static func shell(_ end: String) -> String { [hello, ask, answer, ask, end].joined(separator: "\n") + "\n" }

  private static let python = """
    import json, sys
    def answer(given):
        if given["name"] != "launched": return {}["link"]
        sys.stdout.write(json.dumps({"at": given["at"], "effects": []}) + "\\n")
        sys.stdout.flush()
    sys.stdin.readline()
    sys.stdout.write('{"name":"hello","protocol":1}\\n')
    sys.stdout.flush()
    for line in sys.stdin: answer(json.loads(line))
    """

  private init(
    _ description: String, _ end: String, limits: String? = nil, cause: String, saw: String, exitCode: Int? = nil,
    signal: String? = nil, crash: String? = nil, lastOutput: String? = nil, errorLine: String? = nil
  ) {
    self.description = description
    files = ["engine": Self.shell(end)]
    command = "[/bin/sh, engine]"
    if let limits { self.limits = limits }
    self.cause = cause
    self.saw = saw
    self.exitCode = exitCode
    self.signal = signal
    self.crash = crash
    self.lastOutput = lastOutput
    self.errorLine = errorLine
  }

  private func with(_ change: (inout Death) -> Void) -> Death {
    var death = self
    change(&death)
    return death
  }

  private static let hangs = "answer-timeout: 300ms, end-timeout: 300ms"
  private static let ends = "its program ends in the middle of a case, with exit code "

  static let all = [
    Death(
      "exits with 0", "exit 0", cause: ends + "0", saw: "exit code 0 before the end of its input", exitCode: 0),
    Death(
      "exits with 3", "echo no licence >&2; exit 3", cause: ends + "3", saw: "exit code 3", exitCode: 3,
      errorLine: "no licence"),
    Death(
      "is ended by a signal", "kill -SEGV $$", cause: "its program is ended by SIGSEGV", saw: "SIGSEGV",
      signal: "SIGSEGV"),
    Death(
      "is killed", "kill -KILL $$", cause: "its program is ended by SIGKILL", saw: "SIGKILL (not by the bench",
      signal: "SIGKILL"),
    Death(
      "is a shell whose child is aborted", "sh -c 'kill -ABRT $$'; exit $?", cause: ends + "134",
      saw: "exit code 134 (a shell gives it when what it has started is ended by SIGABRT)", exitCode: 134),
    Death(
      "prints a crash message as C does", "echo \"host: host.c:12: main: Assertion 'ok' failed.\" >&2; kill -ABRT $$",
      cause: "crashes at host.c:12",
      saw: "host.c:12: host: host.c:12: main: Assertion 'ok' failed.; was ended by SIGABRT", signal: "SIGABRT",
      crash: "host.c:12", errorLine: "host: host.c:12: main"),
    Death(
      "writes garbage", "echo here I am; read -r line", cause: "writes what is not JSON to its standard output",
      saw: "not JSON", lastOutput: "here I am"),
    Death(
      "writes half a line and hangs", "printf '{\"at\":'; exec sleep 1000", limits: hangs,
      cause: "stops in the middle of a line", saw: "without a line end", lastOutput: "{\"at\":"),
    Death(
      "writes half a line and dies", "printf '{\"at\":'; exit 4", cause: ends + "4", saw: "exit code 4", exitCode: 4,
      lastOutput: "{\"at\":"),
    Death(
      "closes its output and lives", "exec 1>&-; exec sleep 1000", limits: "end-timeout: 200ms",
      cause: "closes its standard output", saw: "closed its standard output and continued"),
    Death(
      "hangs and talks to its log", "echo still looking >&2; exec sleep 1000", limits: hangs,
      cause: "does not answer in time", saw: "no answer within 300 ms", errorLine: "still looking"),
    Death(
      "leaves a child that holds its output", "sleep 1000 & exit 0", cause: ends + "0",
      saw: "a process that it had started holds its standard output open", exitCode: 0),
    Death(
      "is a wrapper that lives on when its engine has died", "kill -SEGV $$", limits: "answer-timeout: 1s",
      cause: "does not answer: what its wrapper engine.sh had started has ended",
      saw: "what engine.sh had started (sh and tee) has ended, and its output is open: a wrapper must start the"
        + " program with `exec`"
    ).with {
      $0.files["engine.sh"] = "#!/bin/sh\ntee in.jsonl | sh engine | tee out.jsonl\n"
      $0.command = "[./engine.sh]"
    },
    Death(
      "is a wrapper that hides how its engine has ended", "kill -SEGV $$", cause: ends + "0",
      saw: "it was a shell (", exitCode: 0
    ).with {
      $0.files["engine.sh"] = "#!/bin/sh\nsh engine | tee out.jsonl\n"
      $0.command = "[./engine.sh]"
    },
    Death(
      "does not start", "", cause: "its program does not start: it ends with exit code 7",
      saw: "did not start: before its hello: ended with exit code 7", exitCode: 7, errorLine: "no licence"
    ).with { $0.files["engine"] = "echo no licence >&2; exit 7\n" },
    Death(
      "does not flush", "", limits: "start-timeout: 1s, end-timeout: 5min",
      cause: "its program does not start: it does not flush its standard output after every line",
      saw: "its answer came when its input ended: it must flush standard output after every line"
    ).with {
      $0.files["engine"] = Self.python.replacing("sys.stdout.flush()", with: "pass")
      $0.command = "[python3, -S, -E, engine]"
      $0.needsPython = true
    },
    Death(
      "raises an exception in Python", "", cause: "crashes at engine:3",
      saw: "ended: engine:3: KeyError: 'link'; ended with exit code 1", exitCode: 1, crash: "engine:3",
      errorLine: "KeyError: 'link'"
    ).with {
      $0.files["engine"] = Self.python
      $0.command = "[python3, -S, -E, engine]"
      $0.needsPython = true
    },
  ]

  /// Writes program and description.
  func write(to folder: TemporaryFolder) throws {
    for (name, text) in files {
      try folder.write(text, to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path + "/" + name)
    }
    try folder.write(
      "name: mine\nrole: host\ncommand: \(command)\ndialects: [sdk]\nics: all\nixit: { \(limits) }\n", to: "iut.yaml")
  }
}
