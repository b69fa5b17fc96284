// A peer on BTstack, unchanged, with its own port for POSIX: run loop, UART, H4.
//
//   btstack-peer TERMINAL ADDRESS
//
// ADDRESS is the static random address of the device, as hexadecimal digits with colons.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ble/att_db_util.h"
#include "ble/att_server.h"
#include "ble/gatt_client.h"
#include "ble/le_device_db.h"
#include "ble/sm.h"
#include "bluetooth_gatt.h"
#include "btstack_discovery.h"
#include "btstack_event.h"
#include "btstack_memory.h"
#include "btstack_run_loop.h"
#include "btstack_run_loop_posix.h"
#include "btstack_uart.h"
#include "gap.h"
#include "hci.h"
#include "hci_transport_h4.h"
#include "l2cap.h"
#include "peer.h"

static hci_con_handle_t the_link = HCI_CON_HANDLE_INVALID;
static bd_addr_t address;
static uint16_t sink, source;  // value handles
static bool is_central;
static char wanted[32];
static gatt_client_notification_t notifications;

static void on_att(uint8_t type, uint16_t channel, uint8_t *packet, uint16_t size);

// What the stack says.

static void say_connection(const uint8_t *packet) {
  uint8_t status = gap_subevent_le_connection_complete_get_status(packet);
  if (status == 0) {
    the_link = gap_subevent_le_connection_complete_get_connection_handle(packet);
    is_central = gap_subevent_le_connection_complete_get_role(packet) == 0;
    gatt_client_listen_for_characteristic_value_updates(&notifications, on_att, the_link, NULL);
  }
  bd_addr_t other;
  gap_subevent_le_connection_complete_get_peer_address(packet, other);
  peer_say("\"event\":\"connected\",\"status\":%u,\"role\":\"%s\",\"address\":\"%s\",\"interval\":%u,\"latency\":%u,"
           "\"timeout\":%u",
           status, is_central ? "central" : "peripheral", bd_addr_to_str(other),
           gap_subevent_le_connection_complete_get_conn_interval(packet),
           gap_subevent_le_connection_complete_get_conn_latency(packet),
           gap_subevent_le_connection_complete_get_supervision_timeout(packet));
}

static void say_update(const uint8_t *packet) {
  peer_say("\"event\":\"updated\",\"status\":%u,\"interval\":%u,\"latency\":%u,\"timeout\":%u",
           hci_subevent_le_connection_update_complete_get_status(packet),
           hci_subevent_le_connection_update_complete_get_conn_interval(packet),
           hci_subevent_le_connection_update_complete_get_conn_latency(packet),
           hci_subevent_le_connection_update_complete_get_supervision_timeout(packet));
}

static void on_report(const uint8_t *packet) {
  const uint8_t *payload = gap_event_advertising_report_get_data(packet);
  if (!wanted[0] || !peer_is_named(payload, gap_event_advertising_report_get_data_length(packet), wanted)) return;
  wanted[0] = 0;
  gap_stop_scan();
  bd_addr_t other;
  gap_event_advertising_report_get_address(packet, other);
  peer_say("\"event\":\"found\",\"address\":\"%s\"", bd_addr_to_str(other));
  gap_connect(other, (bd_addr_type_t)gap_event_advertising_report_get_address_type(packet));
}

static void on_hci(uint8_t type, uint16_t channel, uint8_t *packet, uint16_t size) {
  (void)channel, (void)size;
  if (type != HCI_EVENT_PACKET) return;
  switch (hci_event_packet_get_type(packet)) {
    case BTSTACK_EVENT_STATE:
      if (btstack_event_state_get_state(packet) == HCI_STATE_WORKING) {
        peer_say("\"event\":\"ready\",\"stack\":\"BTstack\"");
      }
      break;
    case GAP_EVENT_ADVERTISING_REPORT:
      on_report(packet);
      break;
    case HCI_EVENT_META_GAP:
      if (hci_event_gap_meta_get_subevent_code(packet) == GAP_SUBEVENT_LE_CONNECTION_COMPLETE) {
        say_connection(packet);
      }
      break;
    case HCI_EVENT_LE_META:
      if (hci_event_le_meta_get_subevent_code(packet) == HCI_SUBEVENT_LE_CONNECTION_UPDATE_COMPLETE) {
        say_update(packet);
      } else if (hci_event_le_meta_get_subevent_code(packet) == HCI_SUBEVENT_LE_PHY_UPDATE_COMPLETE) {
        peer_say("\"event\":\"phy\",\"status\":%u,\"transmit\":%u,\"receive\":%u",
                 hci_subevent_le_phy_update_complete_get_status(packet),
                 hci_subevent_le_phy_update_complete_get_tx_phy(packet),
                 packet[7]);  // BTstack has no accessor for the PHY it receives with
      }
      break;
    case HCI_EVENT_ENCRYPTION_CHANGE:
    case HCI_EVENT_ENCRYPTION_CHANGE_V2:
      peer_say("\"event\":\"encrypted\",\"status\":%u,\"encrypted\":%u,\"authenticated\":%d,\"bonded\":%d",
               hci_event_encryption_change_get_status(packet),
               hci_event_encryption_change_get_encryption_enabled(packet), gap_authenticated(the_link),
               gap_bonded(the_link));
      break;
    case HCI_EVENT_DISCONNECTION_COMPLETE:
      gatt_client_stop_listening_for_characteristic_value_updates(&notifications);
      the_link = HCI_CON_HANDLE_INVALID;
      gap_advertisements_enable(0);
      peer_say("\"event\":\"disconnected\",\"reason\":%u", hci_event_disconnection_complete_get_reason(packet));
      break;
    default:
      break;
  }
}

static void on_security(uint8_t type, uint16_t channel, uint8_t *packet, uint16_t size) {
  (void)channel, (void)size;
  if (type != HCI_EVENT_PACKET) return;
  switch (hci_event_packet_get_type(packet)) {
    case SM_EVENT_NUMERIC_COMPARISON_REQUEST:
      peer_say("\"event\":\"number\",\"value\":\"%06u\"",
               (unsigned)sm_event_numeric_comparison_request_get_passkey(packet));
      sm_numeric_comparison_confirm(sm_event_numeric_comparison_request_get_handle(packet));
      break;
    case SM_EVENT_PAIRING_COMPLETE:
      peer_say("\"event\":\"paired\",\"status\":%u", sm_event_pairing_complete_get_status(packet));
      break;
    case SM_EVENT_REENCRYPTION_COMPLETE:
      peer_say("\"event\":\"known\",\"status\":%u", sm_event_reencryption_complete_get_status(packet));
      break;
    default:
      break;
  }
}

static const char *asked = "written";  // what the next end of a query is the end of

static void on_att(uint8_t type, uint16_t channel, uint8_t *packet, uint16_t size) {
  (void)channel, (void)size;
  static uint8_t value[PEER_ATT_MTU];
  static uint16_t octets;
  if (type != HCI_EVENT_PACKET) return;
  switch (hci_event_packet_get_type(packet)) {
    case GATT_EVENT_MTU:
      peer_say("\"event\":\"mtu\",\"status\":0,\"value\":%u", gatt_event_mtu_get_MTU(packet));
      break;
    case GATT_EVENT_CHARACTERISTIC_VALUE_QUERY_RESULT:
      octets = gatt_event_characteristic_value_query_result_get_value_length(packet);
      if (octets > sizeof value) octets = sizeof value;
      memcpy(value, gatt_event_characteristic_value_query_result_get_value(packet), octets);
      break;
    case GATT_EVENT_QUERY_COMPLETE:
      peer_say_value(asked, gatt_event_query_complete_get_att_status(packet), value, octets);
      octets = 0;
      break;
    case GATT_EVENT_NOTIFICATION:
      peer_received(gatt_event_notification_get_value(packet), gatt_event_notification_get_value_length(packet));
      break;
    default:
      break;
  }
}

// The application's half of our service.

static int on_written(hci_con_handle_t connection, uint16_t attribute, uint16_t mode, uint16_t offset, uint8_t *value,
                      uint16_t size) {
  (void)connection, (void)mode, (void)offset;
  if (attribute == sink) peer_received(value, size);
  return 0;
}

static void add_service(void) {
  static const uint8_t service[16] = PEER_UUID(PEER_SERVICE), word[16] = PEER_UUID(PEER_WORD),
                       in[16] = PEER_UUID(PEER_SINK), out[16] = PEER_UUID(PEER_SOURCE);
  static uint8_t secret[] = PEER_SECRET;
  att_db_util_init();
  att_db_util_add_service_uuid16(ORG_BLUETOOTH_SERVICE_GENERIC_ACCESS);
  static uint8_t name[] = "btstack";
  att_db_util_add_characteristic_uuid16(ORG_BLUETOOTH_CHARACTERISTIC_GAP_DEVICE_NAME, ATT_PROPERTY_READ,
                                        ATT_SECURITY_NONE, ATT_SECURITY_NONE, name, sizeof name - 1);
  att_db_util_add_service_uuid128(service);
  att_db_util_add_characteristic_uuid128(word, ATT_PROPERTY_READ, ATT_SECURITY_ENCRYPTED, ATT_SECURITY_NONE, secret,
                                         sizeof secret - 1);
  sink = att_db_util_add_characteristic_uuid128(
      in, ATT_PROPERTY_WRITE | ATT_PROPERTY_WRITE_WITHOUT_RESPONSE | ATT_PROPERTY_DYNAMIC, ATT_SECURITY_NONE,
      ATT_SECURITY_NONE, NULL, 0);
  source = att_db_util_add_characteristic_uuid128(out, ATT_PROPERTY_NOTIFY | ATT_PROPERTY_DYNAMIC, ATT_SECURITY_NONE,
                                                  ATT_SECURITY_NONE, NULL, 0);
  att_server_init(att_db_util_get_address(), NULL, on_written);
}

// What the stack is asked for.

void stack_advertise(const char *name) {
  static uint8_t payload[31];
  uint8_t length = (uint8_t)strlen(name);
  const uint8_t flags[] = {2, 0x01, 0x06, (uint8_t)(length + 1), 0x09};
  if (length + sizeof flags > sizeof payload) length = sizeof payload - sizeof flags;
  memcpy(payload, flags, sizeof flags);
  memcpy(payload + sizeof flags, name, length);
  bd_addr_t nobody = {0};
  gap_advertisements_set_params(48, 48, 0, 0, nobody, 7, 0);
  gap_advertisements_set_data((uint8_t)(sizeof flags + length), payload);
  gap_advertisements_enable(1);
  peer_say("\"event\":\"advertising\",\"status\":0");
}

void stack_connect(const char *name) {
  snprintf(wanted, sizeof wanted, "%s", name);
  gap_set_scan_params(1, 48, 48, 0);
  gap_set_connection_parameters(48, 48, 24, 32, 0, 200, 0, 0);
  gap_start_scan();
}

void stack_exchange_mtu(void) { gatt_client_send_mtu_negotiation(on_att, the_link); }
void stack_discover(void) { discovery_begin(the_link); }

static void began(const char *event, uint8_t status) {
  asked = event;
  if (status != 0) peer_say_value(event, status, NULL, 0);
}

void stack_read(uint16_t handle) {
  began("read", gatt_client_read_value_of_characteristic_using_value_handle(on_att, the_link, handle));
}

void stack_write(uint16_t handle, const uint8_t *value, size_t size) {
  static uint8_t kept[PEER_MOST_OCTETS];  // until it is sent
  memcpy(kept, value, size);
  began("written", gatt_client_write_value_of_characteristic(on_att, the_link, handle, (uint16_t)size, kept));
}

static struct {
  bool is_notification;
  uint16_t handle;
  unsigned number, count, size;
  btstack_context_callback_registration_t turn;
} stream;

static void ask_for_turn(void) {
  uint8_t status = stream.is_notification ? att_server_request_to_send_notification(&stream.turn, the_link)
                                          : gatt_client_request_to_write_without_response(&stream.turn, the_link);
  if (status != 0) peer_say("\"event\":\"streamed\",\"status\":%u,\"values\":%u", status, stream.number);
}

// One value each time the stack has room for one.
static void on_turn(void *unused) {
  (void)unused;
  uint8_t value[PEER_MOST_OCTETS];
  peer_fill(value, stream.size, stream.number);
  uint8_t status = stream.is_notification
                       ? att_server_notify(the_link, stream.handle, value, (uint16_t)stream.size)
                       : gatt_client_write_value_of_characteristic_without_response(
                             the_link, stream.handle, (uint16_t)stream.size, value);
  if (status == 0) stream.number++;
  if (status != 0 || stream.number == stream.count) {
    peer_say("\"event\":\"streamed\",\"status\":%u,\"values\":%u", status, stream.number);
  } else {
    ask_for_turn();
  }
}

static void send_stream(bool is_notification, uint16_t handle, unsigned count, unsigned size) {
  stream.is_notification = is_notification;
  stream.handle = handle;
  stream.number = 0;
  stream.count = count;
  stream.size = size;
  stream.turn.callback = on_turn;
  ask_for_turn();
}

void stack_pour(uint16_t handle, unsigned count, unsigned size) { send_stream(false, handle, count, size); }
void stack_notify(unsigned count, unsigned size) { send_stream(true, source, count, size); }
void stack_pair(void) { sm_request_pairing(the_link); }

void stack_update(unsigned shortest, unsigned longest, unsigned latency, unsigned timeout) {
  if (is_central) {
    gap_update_connection_parameters(
        the_link, (uint16_t)shortest, (uint16_t)longest, (uint16_t)latency, (uint16_t)timeout);
  } else {
    gap_request_connection_parameter_update(
        the_link, (uint16_t)shortest, (uint16_t)longest, (uint16_t)latency, (uint16_t)timeout);
  }
}

void stack_use_phy(uint8_t phys) {
  uint8_t status = gap_le_set_phy(the_link, 0, phys, phys, 0);
  if (status != 0) peer_say("\"event\":\"phy\",\"status\":%u", status);
}

void stack_disconnect(void) { gap_disconnect(the_link); }

// The program.

static void on_input(btstack_data_source_t *input, btstack_data_source_callback_type_t kind) {
  (void)kind;
  char octets[512];
  ssize_t count = read(input->source.fd, octets, sizeof octets);
  if (count <= 0) exit(0);
  peer_take(octets, (size_t)count);
}

int main(int count, char **words) {
  if (count != 3 || !sscanf_bd_addr(words[2], address)) {
    fprintf(stderr, "usage: btstack-peer TERMINAL ADDRESS\n");
    return 64;
  }
  peer_begin();
  btstack_memory_init();
  btstack_run_loop_init(btstack_run_loop_posix_get_instance());
  static hci_transport_config_uart_t uart = {
      HCI_TRANSPORT_CONFIG_UART, 115200, 0, BTSTACK_UART_FLOWCONTROL_OFF, NULL, BTSTACK_UART_PARITY_OFF};
  uart.device_name = words[1];
  hci_init(hci_transport_h4_instance_for_uart(btstack_uart_posix_instance()), &uart);
  l2cap_init();
  le_device_db_init();
  sm_init();
  sm_set_io_capabilities(IO_CAPABILITY_DISPLAY_YES_NO);
  sm_set_authentication_requirements(SM_AUTHREQ_SECURE_CONNECTION | SM_AUTHREQ_MITM_PROTECTION | SM_AUTHREQ_BONDING);
  gatt_client_init();
  gatt_client_mtu_enable_auto_negotiation(0);
  add_service();
  gap_random_address_set(address);
  static btstack_packet_callback_registration_t hci_events = {.callback = on_hci};
  static btstack_packet_callback_registration_t sm_events = {.callback = on_security};
  hci_add_event_handler(&hci_events);
  sm_add_event_handler(&sm_events);
  static btstack_data_source_t input = {.source = {.fd = 0}, .process = on_input};
  btstack_run_loop_enable_data_source_callbacks(&input, DATA_SOURCE_CALLBACK_READ);
  btstack_run_loop_add_data_source(&input);
  hci_power_control(HCI_POWER_ON);
  btstack_run_loop_execute();
  return 0;
}
