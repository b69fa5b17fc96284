import Bench
import Foundation

extension ProgramLaunch {
  /// The file of the program, where it is named with a slash or the PATH of its environment has it in an absolute
  /// folder; a relative name counts from its working directory. Nil: a shell may know better.
  var program: String? {
    guard let name = command.first, !name.isEmpty else { return nil }
    if name.utf8.contains(UInt8(ascii: "/")) { return name }
    for folder in variable("PATH").split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    return nil
  }

  /// The environment in the working directory, as a shell leaves it.
  var environmentThere: [String] {
    environment.filter { !$0.hasPrefix("PWD=") } + ["PWD=\(directory)"]
  }

  private func variable(_ name: String) -> Substring {
    environment.last { $0.hasPrefix(name + "=") }?.dropFirst(name.utf8.count + 1) ?? ""
  }
}
