// Apple's module makes Foundation (and with it Dispatch) visible to whoever imports it.
@_exported public import Foundation

// Codes of errors, whose cases an app sees without another import.
@_exported public import CCoreBluetooth

/// Seconds since a reference date; here since the start of the run. Foundation for Linux does not have Apple's alias.
public typealias CFAbsoluteTime = Double
