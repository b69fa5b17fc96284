/// Apple's OSLog is the module `os` under another name.
@_exported import osShim
