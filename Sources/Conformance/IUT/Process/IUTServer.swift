public import AppSeam
import Foundation
import Judging

/// Puts a Swift engine into a process of its own: it speaks the IUT protocol on standard input and output.
///
/// ```swift
/// try IUTServer.serve(IUTGreeting(implementation: "my-app 3.2"), of: .mine) { hello in MyHost(hello.configuration) }
/// ```
///
/// The engine prints nothing on standard output; standard error is its log.
public enum IUTServer {
  /// Serves until standard input ends.
  /// - Throws: `IUTSession.Problem` for a line that is not in the protocol, and whatever `makeEngine` throws.
  public static func serve(
    _ greeting: IUTGreeting, of app: AppProtocol, input: Int32 = 0, output: Int32 = 1,
    makeEngine: @escaping (IUTHello) throws -> any AppEngine
  ) throws {
    var session = IUTSession(greeting: greeting, of: app, makeEngine: makeEngine)
    var buffer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      buffer.append(contentsOf: chunk[..<count])
      while let end = buffer.firstIndex(of: 0x0A) {
        let answer = try session.answer(Array(buffer[..<end])) + [0x0A]
        buffer.removeFirst(end + 1)
        guard WholeWrite.write(answer, to: output) else { return }
      }
    }
  }
}
