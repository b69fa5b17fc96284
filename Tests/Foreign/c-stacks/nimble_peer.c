// A peer on NimBLE, unchanged, with its own porting layer for Linux.
//
//   nimble-peer HOST PORT ADDRESS [private]
//
// ADDRESS is the static random address of the device, as hexadecimal digits with colons. A private peer uses resolvable
// private addresses, which the controller makes; ADDRESS is its identity then.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "host/ble_hs.h"
#include "host/util/util.h"
#include "nimble/nimble_npl.h"
#include "nimble/nimble_port.h"
#include "nimble_discovery.h"
#include "nimble_h4.h"
#include "peer.h"
#include "services/gap/ble_svc_gap.h"
#include "services/gatt/ble_svc_gatt.h"

void ble_store_ram_init(void);  // no header of NimBLE declares it

static uint16_t the_link = BLE_HS_CONN_HANDLE_NONE;
static uint16_t source;  // the value handle of what notifies
static uint8_t address[6], address_type = BLE_OWN_ADDR_RANDOM;
static char wanted[32], name[32];

static int on_gap(struct ble_gap_event *event, void *unused);

// The application's half of our service.

static int on_access(uint16_t connection, uint16_t attribute, struct ble_gatt_access_ctxt *access, void *kind) {
  (void)connection, (void)attribute;
  if (access->op == BLE_GATT_ACCESS_OP_READ_CHR && (uintptr_t)kind == PEER_WORD) {
    return os_mbuf_append(access->om, PEER_SECRET, sizeof PEER_SECRET - 1) ? BLE_ATT_ERR_INSUFFICIENT_RES : 0;
  }
  if (access->op == BLE_GATT_ACCESS_OP_WRITE_CHR && (uintptr_t)kind == PEER_SINK) {
    uint8_t value[PEER_ATT_MTU];
    uint16_t size = 0;
    if (ble_hs_mbuf_to_flat(access->om, value, sizeof value, &size)) return BLE_ATT_ERR_INVALID_ATTR_VALUE_LEN;
    peer_received(value, size);
    return 0;
  }
  return BLE_ATT_ERR_UNLIKELY;
}

static ble_uuid128_t uuids[4];

// NimBLE's UUIDs are in the order of the air.
static const ble_uuid_t *uuid_of(uint8_t number) {
  static const uint8_t text[16] = PEER_UUID(0);
  ble_uuid128_t *uuid = &uuids[number - PEER_SERVICE];
  uuid->u.type = BLE_UUID_TYPE_128;
  for (int index = 0; index < 16; index++) uuid->value[15 - index] = text[index];
  uuid->value[10] = number;
  return &uuid->u;
}

static void add_service(void) {
  static struct ble_gatt_chr_def characteristics[4];
  static struct ble_gatt_svc_def services[2];
  const struct ble_gatt_chr_def meant[] = {
      {.access_cb = on_access, .flags = BLE_GATT_CHR_F_READ | BLE_GATT_CHR_F_READ_ENC},
      {.access_cb = on_access, .flags = BLE_GATT_CHR_F_WRITE | BLE_GATT_CHR_F_WRITE_NO_RSP},
      {.access_cb = on_access, .flags = BLE_GATT_CHR_F_NOTIFY, .val_handle = &source}};
  for (uint8_t index = 0; index < 3; index++) {
    characteristics[index] = meant[index];
    characteristics[index].uuid = uuid_of(PEER_WORD + index);
    characteristics[index].arg = (void *)(uintptr_t)(PEER_WORD + index);
  }
  services[0] = (struct ble_gatt_svc_def){
      .type = BLE_GATT_SVC_TYPE_PRIMARY, .uuid = uuid_of(PEER_SERVICE), .characteristics = characteristics};
  if (ble_gatts_count_cfg(services) || ble_gatts_add_svcs(services)) abort();
}

// What the host says.

static void say_parameters(const char *event, int status) {
  struct ble_gap_conn_desc now = {0};
  if (status == 0) ble_gap_conn_find(the_link, &now);
  peer_say("\"event\":\"%s\",\"status\":%d,\"role\":\"%s\",\"interval\":%u,\"latency\":%u,\"timeout\":%u", event,
           plain_status(status), now.role == BLE_GAP_ROLE_MASTER ? "central" : "peripheral", now.conn_itvl,
           now.conn_latency, now.supervision_timeout);
}

static void say_encryption(int status) {
  struct ble_gap_conn_desc now = {0};
  ble_gap_conn_find(the_link, &now);
  peer_say("\"event\":\"encrypted\",\"status\":%d,\"encrypted\":%d,\"authenticated\":%d,\"bonded\":%d",
           plain_status(status), now.sec_state.encrypted, now.sec_state.authenticated, now.sec_state.bonded);
}

static void on_number(const struct ble_gap_event *event) {
  if (event->passkey.params.action != BLE_SM_IOACT_NUMCMP) return;
  peer_say("\"event\":\"number\",\"value\":\"%06u\"", (unsigned)event->passkey.params.numcmp);
  struct ble_sm_io yes = {.action = BLE_SM_IOACT_NUMCMP, .numcmp_accept = 1};
  ble_sm_inject_io(event->passkey.conn_handle, &yes);
}

static void on_report(const struct ble_gap_disc_desc *report) {
  if (!wanted[0] || !peer_is_named(report->data, report->length_data, wanted)) return;
  wanted[0] = 0;
  ble_gap_disc_cancel();
  const uint8_t *octets = report->addr.val;
  peer_say("\"event\":\"found\",\"address\":\"%02X:%02X:%02X:%02X:%02X:%02X\"", octets[5], octets[4], octets[3],
           octets[2], octets[1], octets[0]);
  struct ble_gap_conn_params parameters = {
      .scan_itvl = 48, .scan_window = 48, .itvl_min = 24, .itvl_max = 32, .supervision_timeout = 200};
  int status = ble_gap_connect(address_type, &report->addr, 10000, &parameters, on_gap, NULL);
  if (status != 0) say_parameters("connected", status);
}

static void on_notification(const struct ble_gap_event *event) {
  uint8_t value[PEER_ATT_MTU];
  uint16_t size = 0;
  if (ble_hs_mbuf_to_flat(event->notify_rx.om, value, sizeof value, &size) == 0) peer_received(value, size);
}

static int on_gap(struct ble_gap_event *event, void *unused) {
  (void)unused;
  switch (event->type) {
    case BLE_GAP_EVENT_DISC:
      on_report(&event->disc);
      break;
    case BLE_GAP_EVENT_CONNECT:
      if (event->connect.status == 0) the_link = event->connect.conn_handle;
      say_parameters("connected", event->connect.status);
      break;
    case BLE_GAP_EVENT_DISCONNECT:
      the_link = BLE_HS_CONN_HANDLE_NONE;
      peer_say("\"event\":\"disconnected\",\"reason\":%d", plain_status(event->disconnect.reason));
      break;
    case BLE_GAP_EVENT_CONN_UPDATE:
      say_parameters("updated", event->conn_update.status);
      break;
    case BLE_GAP_EVENT_PHY_UPDATE_COMPLETE:
      peer_say("\"event\":\"phy\",\"status\":%d,\"transmit\":%u,\"receive\":%u",
               plain_status(event->phy_updated.status), event->phy_updated.tx_phy, event->phy_updated.rx_phy);
      break;
    case BLE_GAP_EVENT_ENC_CHANGE:
      say_encryption(event->enc_change.status);
      break;
    case BLE_GAP_EVENT_PASSKEY_ACTION:
      on_number(event);
      break;
    case BLE_GAP_EVENT_PAIRING_COMPLETE:
      peer_say("\"event\":\"paired\",\"status\":%d", plain_status(event->pairing_complete.status));
      break;
    case BLE_GAP_EVENT_NOTIFY_RX:
      on_notification(event);
      break;
    default:
      break;
  }
  return 0;
}

// What the host is asked for. It may be called from any thread.

void stack_advertise(const char *text) {
  snprintf(name, sizeof name, "%s", text);
  struct ble_hs_adv_fields fields = {
      .flags = BLE_HS_ADV_F_DISC_GEN | BLE_HS_ADV_F_BREDR_UNSUP,
      .name = (const uint8_t *)name, .name_len = (uint8_t)strlen(name), .name_is_complete = 1};
  struct ble_gap_adv_params parameters = {
      .conn_mode = BLE_GAP_CONN_MODE_UND, .disc_mode = BLE_GAP_DISC_MODE_GEN, .itvl_min = 48, .itvl_max = 48};
  if (ble_gap_adv_active()) ble_gap_adv_stop();
  int status = ble_gap_adv_set_fields(&fields);
  if (status == 0) {
    status = ble_gap_adv_start(address_type, NULL, BLE_HS_FOREVER, &parameters, on_gap, NULL);
  }
  peer_say("\"event\":\"advertising\",\"status\":%d", plain_status(status));
}

void stack_connect(const char *text) {
  snprintf(wanted, sizeof wanted, "%s", text);
  struct ble_gap_disc_params parameters = {.itvl = 48, .window = 48};
  int status = ble_gap_disc(address_type, BLE_HS_FOREVER, &parameters, on_gap, NULL);
  if (status != 0) say_parameters("connected", status);
}

static int on_att_mtu(uint16_t connection, const struct ble_gatt_error *error, uint16_t value, void *unused) {
  (void)connection, (void)unused;
  peer_say("\"event\":\"mtu\",\"status\":%d,\"value\":%u", plain_status(error->status), value);
  return 0;
}

void stack_exchange_mtu(void) {
  int status = ble_gattc_exchange_mtu(the_link, on_att_mtu, NULL);
  if (status != 0) peer_say("\"event\":\"mtu\",\"status\":%d,\"value\":0", plain_status(status));
}

void stack_discover(void) { discovery_begin(the_link); }

static int on_value(uint16_t connection, const struct ble_gatt_error *error, struct ble_gatt_attr *attribute,
                    void *event) {
  (void)connection;
  uint8_t value[PEER_ATT_MTU];
  uint16_t size = 0;
  if (error->status == 0 && attribute->om) ble_hs_mbuf_to_flat(attribute->om, value, sizeof value, &size);
  peer_say_value(event, plain_status(error->status), value, size);
  return 0;
}

void stack_read(uint16_t handle) {
  int status;
  while ((status = ble_gattc_read(the_link, handle, on_value, "read")) == BLE_HS_ENOMEM) usleep(2000);
  if (status != 0) peer_say_value("read", plain_status(status), NULL, 0);
}

void stack_write(uint16_t handle, const uint8_t *value, size_t size) {
  int status = ble_gattc_write_flat(the_link, handle, value, (uint16_t)size, on_value, "written");
  if (status != 0) peer_say_value("written", plain_status(status), NULL, 0);
}

// One value after the other; when no buffer is free, a little later.
static void send_stream(bool is_notification, uint16_t handle, unsigned count, unsigned size) {
  int status = 0;
  unsigned number = 0;
  for (; number < count && status == 0; number++) {
    uint8_t value[PEER_MOST_OCTETS];
    peer_fill(value, size, number);
    do {
      struct os_mbuf *buffer = ble_hs_mbuf_from_flat(value, (uint16_t)size);
      status = BLE_HS_ENOMEM;
      if (buffer && is_notification) status = ble_gatts_notify_custom(the_link, handle, buffer);
      if (buffer && !is_notification) status = ble_gattc_write_no_rsp(the_link, handle, buffer);
      if (status == BLE_HS_ENOMEM) usleep(2000);
    } while (status == BLE_HS_ENOMEM);
  }
  peer_say("\"event\":\"streamed\",\"status\":%d,\"values\":%u", plain_status(status), number);
}

void stack_pour(uint16_t handle, unsigned count, unsigned size) { send_stream(false, handle, count, size); }
void stack_notify(unsigned count, unsigned size) { send_stream(true, source, count, size); }

void stack_pair(void) {
  int status = ble_gap_security_initiate(the_link);
  if (status != 0) say_encryption(status);
}

void stack_update(unsigned shortest, unsigned longest, unsigned latency, unsigned timeout) {
  struct ble_gap_upd_params parameters = {
      .itvl_min = (uint16_t)shortest, .itvl_max = (uint16_t)longest, .latency = (uint16_t)latency,
      .supervision_timeout = (uint16_t)timeout};
  int status = ble_gap_update_params(the_link, &parameters);
  if (status != 0) say_parameters("updated", status);
}

void stack_use_phy(uint8_t phys) {
  int status = ble_gap_set_prefered_le_phy(the_link, phys, phys, BLE_GAP_LE_PHY_CODED_ANY);
  if (status != 0) peer_say("\"event\":\"phy\",\"status\":%d", plain_status(status));
}

void stack_disconnect(void) {
  int status = ble_gap_terminate(the_link, BLE_ERR_REM_USER_CONN_TERM);
  if (status != 0) peer_say("\"event\":\"disconnected\",\"reason\":%d", plain_status(status));
}

// The program.

static void on_ready(void) {
  if (ble_hs_id_set_rnd(address)) abort();
  peer_say("\"event\":\"ready\",\"stack\":\"NimBLE\"");
}

static void on_reset(int reason) { peer_say("\"event\":\"reset\",\"reason\":%d", plain_status(reason)); }

static void *listener(void *unused) {
  (void)unused;
  char octets[512];
  ssize_t count;
  while ((count = read(0, octets, sizeof octets)) > 0) peer_take(octets, (size_t)count);
  exit(0);
}

int main(int count, char **words) {
  unsigned octets[6];
  if (count < 4 || count > 5 || sscanf(words[3], "%x:%x:%x:%x:%x:%x", octets, octets + 1, octets + 2, octets + 3,
                                       octets + 4, octets + 5) != 6) {
    fprintf(stderr, "usage: nimble-peer HOST PORT ADDRESS [private]\n");
    return 64;
  }
  peer_begin();
  for (int index = 0; index < 6; index++) address[5 - index] = (uint8_t)octets[index];
  if (count == 5) address_type = BLE_OWN_ADDR_RPA_RANDOM_DEFAULT;
  h4_connect(words[1], words[2]);
  nimble_port_init();
  ble_svc_gap_init();
  ble_svc_gatt_init();
  add_service();
  ble_store_ram_init();
  ble_hs_cfg.sync_cb = on_ready;
  ble_hs_cfg.reset_cb = on_reset;
  ble_hs_cfg.sm_io_cap = BLE_HS_IO_DISPLAY_YESNO;
  ble_hs_cfg.sm_bonding = 1;
  ble_hs_cfg.sm_mitm = 1;
  ble_hs_cfg.sm_sc = 1;
  ble_hs_cfg.sm_our_key_dist = BLE_SM_PAIR_KEY_DIST_ENC | BLE_SM_PAIR_KEY_DIST_ID;
  ble_hs_cfg.sm_their_key_dist = BLE_SM_PAIR_KEY_DIST_ENC | BLE_SM_PAIR_KEY_DIST_ID;
  pthread_t thread;
  if (pthread_create(&thread, NULL, listener, NULL) != 0) abort();
  nimble_port_run();
  return 0;
}
