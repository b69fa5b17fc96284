import CoreBluetooth
import GuideApps
import VirtualProgram

// Apps that want to be restored: the peripheral as a host, the central as a client.
VirtualProgram.run(implementation: "restored-program 1") { setup -> NSObject in
  setup.role == "host" ? NumberShelf() : ShelfKeeper()
}
