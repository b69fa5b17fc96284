#ifndef BTSTACK_DISCOVERY_H
#define BTSTACK_DISCOVERY_H

#include "bluetooth.h"

// Says all services, characteristics and descriptors of the other end.
void discovery_begin(hci_con_handle_t link);

#endif
