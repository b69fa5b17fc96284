/* What of <bluetooth/hci.h> Swift cannot import: ioctl numbers, addresses of channels, control messages. Linux only:
 * elsewhere every function returns -ENOSYS. Functions return -errno when the kernel refuses. */
#ifndef BLUEZ_H
#define BLUEZ_H

#include <stddef.h>
#include <stdint.h>

/* Channels of an HCI socket. */
enum {
  /* Packets of one adapter, beside its host (HCI_CHANNEL_RAW). Without CAP_NET_RAW the kernel keeps most of them back. */
  CBLUEZ_CHANNEL_RAW = 0,
  /* All that the kernel says of all adapters (HCI_CHANNEL_MONITOR); needs CAP_NET_RAW. */
  CBLUEZ_CHANNEL_MONITOR = 2,
  /* Management (HCI_CHANNEL_CONTROL); what only reads needs no capability. */
  CBLUEZ_CHANNEL_CONTROL = 3,
};

/* No adapter: what monitor and management are bound to (HCI_DEV_NONE). */
enum { CBLUEZ_NO_ADAPTER = 0xFFFF };

/* Opens the HCI user channel of adapter hci<index>: every packet of it is ours, the kernel keeps out (HCI_CHANNEL_USER).
 * The adapter must be down, and the caller needs CAP_NET_ADMIN. Returns a file descriptor, or -errno. */
int cbluez_open_user_channel(int index);

/* Opens another channel, without waiting in reads. Returns a file descriptor, or -errno. */
int cbluez_open_channel(int index, int channel);

/* Has the kernel stamp what the socket receives, in nanoseconds. */
int cbluez_stamp(int fd);

/* How many packets the kernel has thrown away because this socket's buffer was full; wraps at 2^32. Returns 0. */
int cbluez_drops(int fd, uint32_t *drops);

/* One message of the monitor channel. */
struct cbluez_message {
  uint16_t opcode;
  uint16_t adapter;
  /* Octets after the header that are in the buffer, and that there were. */
  size_t length;
  size_t original_length;
  /* Since 1970; 0 when the kernel gave none. */
  int64_t nanoseconds;
};

/* Takes one message without waiting. Returns 1, or 0 when none is there, or -errno. */
int cbluez_receive(int fd, uint8_t *buffer, size_t capacity, struct cbluez_message *message);

/* What the kernel says of an adapter (HCIGETDEVINFO). */
struct cbluez_adapter {
  uint16_t index;
  /* As on the wire: last octet of the printed form first. */
  uint8_t address[6];
  /* Bits of HCI_UP, HCI_INIT, HCI_RUNNING, HCI_PSCAN, HCI_ISCAN, …, from bit 0. */
  uint32_t flags;
  /* HCI_VIRTUAL, HCI_USB, …. */
  uint8_t bus;
  /* Packets with errors. */
  uint32_t errors;
};

/* Indices of all adapters. Returns how many there are, of which at most `capacity` are written; or -errno. */
int cbluez_list(uint16_t *indices, int capacity);
int cbluez_describe(int index, struct cbluez_adapter *adapter);
const char *cbluez_bus_name(int bus);

#endif
