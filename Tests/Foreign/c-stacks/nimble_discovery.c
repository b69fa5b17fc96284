// All services first, then the characteristics of each, then the descriptors of each of those.
#include "nimble_discovery.h"

#include "host/ble_hs.h"
#include "peer.h"

#define MOST_SERVICES 16
#define MOST_CHARACTERISTICS 64

static struct {
  struct ble_gatt_svc services[MOST_SERVICES];
  struct {
    struct ble_gatt_chr it;
    int service;
  } characteristics[MOST_CHARACTERISTICS];
  int service_count, characteristic_count;
  int service, characteristic;  // whose turn it is
} found;

int plain_status(int status) {
  if (status == 0) return 0;
  return status < BLE_HS_ERR_ATT_BASE ? 0x1000 + status : status & 0xFF;  // 0x1000: a word of NimBLE's own
}

static void done(int status) {
  peer_say("\"event\":\"discovered\",\"services\":%d,\"characteristics\":%d,\"status\":%d", found.service_count,
           found.characteristic_count, plain_status(status));
}

static void next_descriptors(uint16_t link);

static int on_descriptor(uint16_t link, const struct ble_gatt_error *error, uint16_t value,
                         const struct ble_gatt_dsc *descriptor, void *unused) {
  (void)unused;
  if (error->status == 0) {
    char uuid[BLE_UUID_STR_LEN];
    peer_say("\"event\":\"descriptor\",\"of\":%u,\"uuid\":\"%s\",\"handle\":%u", value,
             ble_uuid_to_str(&descriptor->uuid.u, uuid), descriptor->handle);
  } else if (error->status == BLE_HS_EDONE) {
    next_descriptors(link);
  } else {
    done(error->status);
  }
  return 0;
}

static void next_descriptors(uint16_t link) {
  while (found.characteristic < found.characteristic_count) {
    int index = found.characteristic++, service = found.characteristics[index].service;
    uint16_t first = found.characteristics[index].it.val_handle, last = found.services[service].end_handle;
    if (index + 1 < found.characteristic_count && found.characteristics[index + 1].service == service) {
      last = found.characteristics[index + 1].it.def_handle - 1;
    }
    if (first >= last) continue;
    int status = ble_gattc_disc_all_dscs(link, first, last, on_descriptor, NULL);
    if (status != 0) done(status);
    return;
  }
  done(0);
}

static void next_service(uint16_t link);

static int on_characteristic(uint16_t link, const struct ble_gatt_error *error,
                             const struct ble_gatt_chr *characteristic, void *unused) {
  (void)unused;
  if (error->status == BLE_HS_EDONE) {
    found.service++;
    next_service(link);
  } else if (error->status != 0) {
    done(error->status);
  } else if (found.characteristic_count < MOST_CHARACTERISTICS) {
    char service[BLE_UUID_STR_LEN], uuid[BLE_UUID_STR_LEN];
    found.characteristics[found.characteristic_count].it = *characteristic;
    found.characteristics[found.characteristic_count++].service = found.service;
    peer_say("\"event\":\"characteristic\",\"service\":\"%s\",\"uuid\":\"%s\",\"handle\":%u,\"properties\":%u",
             ble_uuid_to_str(&found.services[found.service].uuid.u, service),
             ble_uuid_to_str(&characteristic->uuid.u, uuid), characteristic->val_handle, characteristic->properties);
  }
  return 0;
}

static void next_service(uint16_t link) {
  if (found.service == found.service_count) return next_descriptors(link);
  struct ble_gatt_svc *service = &found.services[found.service];
  int status = ble_gattc_disc_all_chrs(link, service->start_handle, service->end_handle, on_characteristic, NULL);
  if (status != 0) done(status);
}

static int on_service(uint16_t link, const struct ble_gatt_error *error, const struct ble_gatt_svc *service,
                      void *unused) {
  (void)unused;
  if (error->status == BLE_HS_EDONE) {
    next_service(link);
  } else if (error->status != 0) {
    done(error->status);
  } else if (found.service_count < MOST_SERVICES) {
    found.services[found.service_count++] = *service;
  }
  return 0;
}

void discovery_begin(uint16_t link) {
  memset(&found, 0, sizeof found);
  int status = ble_gattc_disc_all_svcs(link, on_service, NULL);
  if (status != 0) done(status);
}
