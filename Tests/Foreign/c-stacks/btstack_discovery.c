// All services first, then the characteristics of each, then the descriptors of each of those.
#include "btstack_discovery.h"

#include <stdio.h>
#include <string.h>

#include "ble/gatt_client.h"
#include "btstack_event.h"
#include "btstack_util.h"
#include "peer.h"

#define MOST_SERVICES 16
#define MOST_CHARACTERISTICS 64

static struct {
  hci_con_handle_t link;
  gatt_client_service_t services[MOST_SERVICES];
  gatt_client_characteristic_t characteristics[MOST_CHARACTERISTICS];
  int service_count, characteristic_count;
  int service, characteristic;  // whose turn it is; the service before it is asked now
} found;

static const char *text_of(uint16_t uuid16, const uint8_t *uuid128, char *text) {
  if (uuid16) {
    sprintf(text, "0x%04x", uuid16);
  } else {
    strcpy(text, uuid128_to_str(uuid128));
  }
  return text;
}

static void done(uint8_t status) {
  peer_say("\"event\":\"discovered\",\"services\":%d,\"characteristics\":%d,\"status\":%u", found.service_count,
           found.characteristic_count, status);
}

static void on_answer(uint8_t type, uint16_t channel, uint8_t *packet, uint16_t size);

static void next(void) {
  uint8_t status = 0;
  if (found.service < found.service_count) {
    status = gatt_client_discover_characteristics_for_service(on_answer, found.link, &found.services[found.service++]);
  } else if (found.characteristic < found.characteristic_count) {
    status = gatt_client_discover_characteristic_descriptors(
        on_answer, found.link, &found.characteristics[found.characteristic++]);
  } else {
    return done(0);
  }
  if (status != 0) done(status);
}

static void on_characteristic(const uint8_t *packet) {
  // A peer may answer what nobody has asked yet.
  if (found.service == 0 || found.characteristic_count == MOST_CHARACTERISTICS) return;
  gatt_client_characteristic_t *it = &found.characteristics[found.characteristic_count++];
  gatt_event_characteristic_query_result_get_characteristic(packet, it);
  const gatt_client_service_t *of = &found.services[found.service - 1];
  char service[40], uuid[40];
  peer_say("\"event\":\"characteristic\",\"service\":\"%s\",\"uuid\":\"%s\",\"handle\":%u,\"properties\":%u",
           text_of(of->uuid16, of->uuid128, service), text_of(it->uuid16, it->uuid128, uuid), it->value_handle,
           it->properties);
}

static void on_answer(uint8_t type, uint16_t channel, uint8_t *packet, uint16_t size) {
  (void)channel, (void)size;
  if (type != HCI_EVENT_PACKET) return;
  switch (hci_event_packet_get_type(packet)) {
    case GATT_EVENT_SERVICE_QUERY_RESULT:
      if (found.service_count < MOST_SERVICES) {
        gatt_event_service_query_result_get_service(packet, &found.services[found.service_count++]);
      }
      break;
    case GATT_EVENT_CHARACTERISTIC_QUERY_RESULT:
      on_characteristic(packet);
      break;
    case GATT_EVENT_ALL_CHARACTERISTIC_DESCRIPTORS_QUERY_RESULT: {
      if (found.characteristic == 0) break;
      gatt_client_characteristic_descriptor_t it;
      char uuid[40];
      gatt_event_all_characteristic_descriptors_query_result_get_characteristic_descriptor(packet, &it);
      peer_say("\"event\":\"descriptor\",\"of\":%u,\"uuid\":\"%s\",\"handle\":%u",
               found.characteristics[found.characteristic - 1].value_handle, text_of(it.uuid16, it.uuid128, uuid),
               it.handle);
      break;
    }
    case GATT_EVENT_QUERY_COMPLETE: {
      uint8_t status = gatt_event_query_complete_get_att_status(packet);
      if (status == 0) {
        next();
      } else {
        done(status);
      }
      break;
    }
    default:
      break;
  }
}

void discovery_begin(hci_con_handle_t link) {
  memset(&found, 0, sizeof found);
  found.link = link;
  uint8_t status = gatt_client_discover_primary_services(on_answer, link);
  if (status != 0) done(status);
}
