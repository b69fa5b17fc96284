import Expectations
import Foundation
import Testing

@testable import Conformance

/// Crash messages as the tools named print them, and what is read in them.
@Suite("Crash messages")
struct CrashReaderTests {
  struct Message: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var log: String
    var place: String
    var text: String
    var endedBadly = true
  }

  static let messages = [
    Message(
      testDescription: "Swift 6.3, fatalError",
      log: """
        looking for peers
        MyHost/Engine.swift:42: Fatal error: no link

        *** Signal 4: Backtracing from 0x7f89dbcf9361... done ***

        *** Program crashed: Illegal instruction at 0x00007f89dbcf9361 ***

        Thread 0 "host" crashed:

          0      0x00007f89dbcf9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
          1 [ra] 0x000056481dfabb19 main + 392 in host at /app/Sources/MyHost/Engine.swift:42:38

        Registers:

        rax 0x0000000000000000  0
        """, place: "MyHost/Engine.swift:42", text: "Fatal error: no link", endedBadly: false),
    Message(
      testDescription: "Swift 6.3, a check of the standard library: the frame of the program counts",
      log: """
        Swift/ContiguousArrayBuffer.swift:692: Fatal error: Index out of range

        *** Program crashed: Illegal instruction at 0x00007eff6a56df7f ***

          2 [ra] 0x00007eff6ac22f65 specialized Array.subscript.getter + 84 in libswiftSwiftOnoneSupport.so
          3 [ra] 0x000055f8ce4b6771 Host.handle(_:) + 64 in host at /app/Sources/Host.swift:2:39
          4 [ra] 0x000055f8ce4b6d79 main + 1000 in host at /app/Sources/main.swift:6:14
        """, place: "Sources/Host.swift:2", text: "Fatal error: Index out of range"),
    Message(
      testDescription: "Swift 6.3, release build: a backtrace and no message",
      log: """
        *** Program crashed: Bad pointer dereference at 0x0000000000000008 ***

          0  0x0000562abd72a14b Host.handle(_:) + 251 in host at /app/Sources/Host.swift:7:3
        """, place: "Sources/Host.swift:7", text: "Program crashed: Bad pointer dereference at 0x0000000000000008"),
    Message(
      testDescription: "Python 3.11, in a module of its own: the newest call of the program counts",
      log: """
        Traceback (most recent call last):
          File "/app/host.py", line 3, in <module>
            serve()
          File "/app/host.py", line 2, in serve
            def serve(): json.loads("{")
                         ^^^^^^^^^^^^^^^
          File "/usr/lib/python3.11/json/decoder.py", line 353, in raw_decode
            obj, end = self.scan_once(s, idx)
                       ^^^^^^^^^^^^^^^^^^^^^^
        json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)
        """, place: "host.py:2",
      text: "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
      endedBadly: false),
    Message(
      testDescription: "Node.js 18",
      log: """
        /app/host.js:1
        class Host { handle(x) { return x.link.id; } }
                                               ^

        TypeError: Cannot read properties of undefined (reading 'id')
            at Host.handle (/app/host.js:1:40)
            at Object.<anonymous> (/app/main.js:2:12)
            at Module._compile (node:internal/modules/cjs/loader:1521:14)

        Node.js v18.20.4
        """, place: "host.js:1", text: "TypeError: Cannot read properties of undefined (reading 'id')"),
    Message(
      testDescription: "Node.js 18, a module: the frames of Node are left out",
      log: """
        Error: boom
            at new Promise (node:internal/promises:1:7)
            at file:///app/src/timers.mjs:12:35
            at listOnTimeout (node:internal/timers:581:17)
        """, place: "src/timers.mjs:12", text: "Error: boom"),
    Message(
      testDescription: "Node.js 18, a message of several lines",
      log: """
        node:internal/modules/cjs/loader:1080
          throw err;
          ^

        Error: Cannot find module './solo.js'
        Require stack:
        - /app/bab/app.js
            at Module._resolveFilename (node:internal/modules/cjs/loader:1077:15)
            at Game.user_startSolo (/app/bab/app.js:125:22)
        """, place: "bab/app.js:125", text: "Error: Cannot find module './solo.js'"),
    Message(
      testDescription: "JVM 17: the cause counts",
      log: """
        Exception in thread "main" java.lang.IllegalStateException: no link
        \tat app.HostKt.main(Host.kt:7)
        Caused by: java.lang.NullPointerException: Cannot invoke "Object.hashCode()"
        \tat java.base/java.util.Objects.requireNonNull(Objects.java:209)
        \tat kotlinx.coroutines.DispatchedTask.run(DispatchedTask.kt:108)
        \tat app.Links.find(Links.kt:31)
        \tat app.HostKt.main(Host.kt:5)
        """, place: "Links.kt:31", text: #"java.lang.NullPointerException: Cannot invoke "Object.hashCode()""#),
    Message(
      testDescription: "JVM 17: the name of the thread is left out",
      log: "Exception in thread \"main\" java.lang.IllegalStateException: no link\n\tat app.HostKt.main(Host.kt:7)",
      place: "Host.kt:7", text: "java.lang.IllegalStateException: no link"),
    Message(
      testDescription: "Go 1.22",
      log: """
        panic: no link

        goroutine 1 [running]:
        main.(*Host).handle(...)
        \t/app/host.go:42
        main.main()
        \t/app/host.go:12 +0x1d
        exit status 2
        """, place: "host.go:42", text: "panic: no link"),
    Message(
      testDescription: "Rust 1.80", log: "thread 'main' panicked at src/main.rs:2:5:\nno link\nnote: run with",
      place: "src/main.rs:2", text: "thread 'main' panicked at src/main.rs:2:5:"),
    Message(
      testDescription: "Ruby 3.1", log: "host.rb:3:in `handle': no link (RuntimeError)\n\tfrom host.rb:5:in `<main>'",
      place: "host.rb:3", text: "host.rb:3:in `handle': no link (RuntimeError)"),
    Message(
      testDescription: "Perl 5.36", log: "no link at host.pl line 3.", place: "host.pl:3",
      text: "no link at host.pl line 3."),
    Message(
      testDescription: "AddressSanitizer of clang 17: the first frame with a line, without addresses",
      log: """
        =================================================================
        ==56==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x55ba5f65152a bp 0x7fff
        WRITE of size 9 at 0x602000000014 thread T0
            #0 0x55ba5f651529 in __asan_memcpy (/app/host+0xa3529) (BuildId: d6b1d0f29b26b0dcc1ec33be8dd953c400d94396)
            #1 0x55ba5f68cf15 in read_pdu /app/host.c:6:3
            #2 0x55ba5f68d1cd in main /app/host.c:11:36
            #3 0x7f7c1cd02249 in __libc_start_call_main csu/../sysdeps/nptl/libc_start_call_main.h:58:16

        0x602000000014 is located 0 bytes to the right of 4-byte region [0x602000000010,0x602000000014)
            #1 0x55ba5f68ceb8 in read_pdu /app/host.c:5:16
        """, place: "host.c:6", text: "ERROR: AddressSanitizer: heap-buffer-overflow"),
    Message(
      testDescription: "UndefinedBehaviorSanitizer of clang 17: a signal",
      log: """
        UndefinedBehaviorSanitizer:DEADLYSIGNAL
        ==5624==ERROR: UndefinedBehaviorSanitizer: stack-overflow on address 0x7ffc53f02000 (pc 0x7fc89d8adb75 T5624)
            #0 0x7fc89d8adb75 in __memcpy_avx512_unaligned_erms string/../sysdeps/x86_64/multiarch/memmove-erms.S:664
            #1 0x55ae686c8de5 in read_pdu /app/host.c:6:3
        """, place: "host.c:6", text: "ERROR: UndefinedBehaviorSanitizer: stack-overflow"),
    Message(
      testDescription: "UndefinedBehaviorSanitizer of clang 17: the program goes on",
      log: "/app/host.c:7:21: runtime error: left shift of negative value -51\nstill looking", place: "host.c:7",
      text: "left shift of negative value -51", endedBadly: false),
    Message(
      testDescription: "assert of C", log: "host: host.c:12: main: Assertion `c == 2' failed.", place: "host.c:12",
      text: "host: host.c:12: main: Assertion `c == 2' failed."),
    Message(
      testDescription: "assert of C long after the program went on from undefined behaviour",
      log: """
        /app/db.c:198:37: runtime error: null pointer passed as argument 2, which is declared to never be null
        {"event":"ready"}
        host: /app/h4.c:330: void read(void): Assertion `0' failed.
        Aborted
        """, place: "h4.c:330", text: "host: /app/h4.c:330: void read(void): Assertion `0' failed."),
    Message(
      testDescription: "Ruby 3.1, in a library: the newest call of the program counts",
      log: """
        /usr/lib/ruby/3.1.0/json/common.rb:216:in `parse': unexpected token at '' (JSON::ParserError)
        \tfrom /usr/lib/ruby/3.1.0/json/common.rb:216:in `parse'
        \tfrom /var/lib/gems/3.1.0/gems/pipe-1.0/lib/pipe.rb:9:in `read'
        \tfrom /app/host.rb:12:in `handle'
        \tfrom /app/host.rb:30:in `<main>'
        """, place: "host.rb:12",
      text: "/usr/lib/ruby/3.1.0/json/common.rb:216:in `parse': unexpected token at '' (JSON::ParserError)"),
    Message(
      testDescription: "JVM 17, Android: frames of libraries are left out",
      log: """
        java.lang.IllegalStateException: no link
        \tat androidx.room.RoomDatabase.query(RoomDatabase.kt:5)
        \tat android.os.Handler.dispatchMessage(Handler.java:106)
        \tat io.ktor.client.HttpClient.get(HttpClient.kt:3)
        \tat app.Host.handle(Host.kt:9)
        """, place: "Host.kt:9", text: "java.lang.IllegalStateException: no link"),
  ]

  /// As the JVM prints it where a standard function was inlined: the compiler numbers its lines beyond the file's end.
  private static let inlined = """
    Exception in thread "main" java.util.NoSuchElementException: no element
    \tat app.stores.DialogStore.reduce(DialogStore.kt:677)
    \tat app.stores.DialogStore.execute(DialogStore.kt:235)
    \tat app.MainKt.main(Main.kt:7)
    """

  @Test("A line beyond the end of its file is inlined code: the next frame counts, or the file alone")
  func beyondTheEnd() throws {
    func place(_ count: @escaping (String) -> Int?) -> String? {
      CrashReader(Self.inlined, folder: "/app", lineCount: count).read(endedBadly: true).crash?.place
    }
    equal(place { _ in nil }, "DialogStore.kt:677")
    equal(place { $0 == "DialogStore.kt" ? 636 : nil }, "DialogStore.kt:235")
    equal(place { _ in 700 }, "DialogStore.kt:677")
    equal(place { _ in 5 }, "DialogStore.kt")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("babbench-lines-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let sources = folder.appendingPathComponent("src/stores")
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    try String(repeating: "x\n", count: 300).write(
      to: sources.appendingPathComponent("DialogStore.kt"), atomically: true, encoding: .utf8)
    let read = CrashReader(Self.inlined, folder: folder.path).read(endedBadly: true)
    equal(read.crash?.place, "DialogStore.kt:235")
    expect(SourceLines(folder: folder.path).count(of: "Main.kt") == nil)
  }

  @Test("The place and the words of a crash are found", arguments: messages)
  func found(_ message: Message) throws {
    let (crash, lines) = CrashReader(message.log, folder: "/app").read(endedBadly: message.endedBadly)
    let found = try required(crash)
    equal(found.place, message.place)
    equal(found.text, message.text)
    expect(!lines.isEmpty && lines.count <= 6)
    expect(!lines.contains { $0.contains("rax") })
  }

  @Test(
    "What is no crash message names no place, and its newest lines are shown",
    arguments: [
      "", "\n\n", "still looking\n", "12:30:05 looking at host.log:33\n", "  File \"cut", "at at at", "   at (:1)",
      "*** Program crashed:", ": Fatal error", "Fatal error: x", "panic: x\n\t:1",
    ])
  func none(log: String) {
    let (crash, lines) = CrashReader(log, folder: "/app").read(endedBadly: false)
    expect(crash == nil)
    equal(lines, log.split(separator: "\n").filter { !$0.isEmpty }.map { String($0).replacing("\t", with: "    ") })
  }

  @Test("Every prefix of a message is read without a trap, and what is shown stays bounded")
  func bounded() {
    for message in Self.messages {
      for length in 0..<message.log.count {
        _ = CrashReader(String(message.log.prefix(length)), folder: "/").read(endedBadly: true)
      }
    }
    let long = String(repeating: "x", count: 10_000)
    let (_, lines) = CrashReader(String(repeating: long + "\n", count: 2_000), folder: "/").read(endedBadly: true)
    equal(lines.count, 6)
    expect(lines.allSatisfy { $0.count == 201 })
  }
}
