// The Swift module has everything.
