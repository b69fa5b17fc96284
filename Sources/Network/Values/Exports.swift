// Apple's module makes Foundation (and with it Dispatch) visible to whoever imports it.
@_exported public import Foundation

/// A code of Security; on Linux only this module has it.
public typealias OSStatus = Int32
