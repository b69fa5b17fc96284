/* on-attribute-pdu OPCODE: ends when an ATT PDU with this opcode (hexadecimal) comes in at hci0, in a packet that begins
 * a frame. What shall happen then says who called it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  long opcode = strtol(arguments[1], NULL, 16);
  int fd = socket(AF_BLUETOOTH, SOCK_RAW, BTPROTO_HCI);
  if (fd < 0) fail("socket");
  struct hci_filter filter = {.type_mask = 1 << HCI_ACLDATA_PKT};
  if (setsockopt(fd, SOL_HCI, HCI_FILTER, &filter, sizeof filter) != 0) fail("filter");
  struct sockaddr_hci address = {.hci_family = AF_BLUETOOTH, .hci_dev = 0, .hci_channel = HCI_CHANNEL_RAW};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0) fail("bind");
  for (;;) {
    unsigned char packet[4096];
    ssize_t length = read(fd, packet, sizeof packet);
    if (length < 0) fail("read");
    /* What the host itself sends begins with the flag 00, what comes in with 10. */
    if (length > 9 && (packet[2] >> 4 & 3) == 2 && packet[7] == 4 && packet[8] == 0 && packet[9] == opcode) return 0;
  }
}
