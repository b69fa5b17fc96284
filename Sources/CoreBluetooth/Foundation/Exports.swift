// Apple's module makes Foundation (and with it Dispatch) visible to whoever imports it.
@_exported public import Foundation

// Codes of errors, whose cases an app sees without another import.
@_exported public import CCoreBluetooth
