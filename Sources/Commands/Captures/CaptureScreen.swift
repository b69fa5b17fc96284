import Campaigns
import Foundation
import SimKernel

/// A few lines at the end of a terminal that are drawn again and again; nothing where standard error is no terminal.
final class CaptureScreen {
  let isOn: Bool
  private let write: (String) -> Void
  private let size: () -> (width: Int, height: Int)
  private var drawn = 0

  /// - Parameters:
  ///   - size: of the terminal, asked each time: people resize it.
  init(isOn: Bool, size: @escaping () -> (width: Int, height: Int), write: @escaping (String) -> Void) {
    self.isOn = isOn
    self.size = size
    self.write = write
  }

  /// Standard error, if it is a terminal that moves its cursor when told.
  static var standardError: CaptureScreen {
    let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true
    return CaptureScreen(
      isOn: Console.showsProgress && !isDumb,
      size: {
        var window = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return (80, 24) }
        return (Int(window.ws_col), Int(window.ws_row))
      }, write: { Console.diagram($0) })
  }

  /// Lines that a drawing may have, so that the terminal does not scroll.
  var height: Int { max(4, size().height - 2) }

  func draw(_ lines: [String]) {
    guard isOn else { return }
    let width = max(20, size().width - 1)
    write(erasure + lines.map { ShownText.oneLine($0).prefix(width) + "\n" }.joined())
    drawn = lines.count
  }

  /// Takes the drawing away, so that other lines stand above the next one.
  func clear() {
    if drawn > 0 { write(erasure) }
    drawn = 0
  }

  private var erasure: String { drawn > 0 ? "\u{1B}[\(drawn)A\r\u{1B}[J" : "" }
}
