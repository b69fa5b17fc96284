// The header has everything; a target needs a file.
#include "CCoreBluetooth.h"
