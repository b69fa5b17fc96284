import Campaigns
import Foundation
import Judging

/// Standard input to standard output, line by line, as octets: a line need not be text.
///
/// Whatever whole lines have arrived are answered before more is read, so whoever writes a line gets its answer.
package enum LineFilter {
  package static func run(_ answer: ([UInt8]) -> String) {
    Interruption.install(untilWork: true)
    var pending: [UInt8] = []
    var searched = 0
    while true {
      let old = pending.count
      var hasFailed = false
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        repeat {
          count = max(-1, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
        } while count < 0 && errno == EINTR
        hasFailed = count < 0
        count = max(0, count)
      }
      if hasFailed {
        Console.complain("error: standard input: cannot read it: \(String(cString: strerror(errno)))")
        exit(Judging.ExitCode.usage.rawValue)
      }
      if chunk.isEmpty { break }
      pending += chunk
      searched = old
      var start = 0
      var output = ""
      while let end = pending[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        output += answer(Array(pending[start..<end])) + "\n"
        start = end + 1
      }
      pending.removeFirst(start)
      if !output.isEmpty, !Console.resultOrEnd(octets: Array(output.utf8)) { return }
    }
    if !pending.isEmpty { Console.resultOrEnd(octets: Array((answer(pending) + "\n").utf8)) }
  }
}
