import Campaigns

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard input to standard output, line by line, as octets: a line need not be text.
///
/// Whatever whole lines have arrived are answered before more is read, so whoever writes a line gets its answer.
package enum LineFilter {
  package static func run(_ answer: ([UInt8]) -> String) {
    var pending: [UInt8] = []
    var searched = 0
    while true {
      let old = pending.count
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        repeat {
          count = max(-1, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
        } while count < 0 && errno == EINTR
        count = max(0, count)
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
