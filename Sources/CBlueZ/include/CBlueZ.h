/* What of <bluetooth/hci.h> Swift cannot import: ioctl numbers and the address of a channel. Linux only. */
#ifndef CBLUEZ_H
#define CBLUEZ_H

/* Opens the HCI user channel of adapter hci<index>: every packet of it is ours, the kernel keeps out (HCI_CHANNEL_USER).
 * The adapter must be down, and the caller needs CAP_NET_ADMIN. Returns a file descriptor, or -errno. */
int cbluez_open_user_channel(int index);

#endif
