#ifndef NIMBLE_DISCOVERY_H
#define NIMBLE_DISCOVERY_H

#include <stdint.h>

// Says all services, characteristics and descriptors of the other end.
void discovery_begin(uint16_t link);
// The status of a callback as an ATT error code or an HCI one; 0 is success.
int plain_status(int status);

#endif
