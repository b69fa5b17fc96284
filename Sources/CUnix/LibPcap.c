#include "LibPcap.h"

#include <dlfcn.h>
#include <stddef.h>

static const char *const names[] = {
  "libpcap.so.0.8",  // Debian and what descends from it
  "libpcap.so.1",
  "libpcap.dylib",
};

int cpcap_open(struct cpcap_calls *calls) {
  void *library = NULL;
  for (size_t index = 0; library == NULL && index < sizeof names / sizeof *names; index++) {
    library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
  }
  if (library == NULL) return -1;
  const struct {
    const char *name;
    void *place;
  } wanted[] = {
#define CALL(name) {"pcap_" #name, &calls->name}
    CALL(activate), CALL(close), CALL(create), CALL(datalink), CALL(findalldevs), CALL(freealldevs),
    CALL(get_selectable_fd), CALL(get_tstamp_precision), CALL(geterr), CALL(lib_version), CALL(next_ex),
    CALL(set_buffer_size), CALL(set_immediate_mode), CALL(set_snaplen), CALL(set_tstamp_precision),
#undef CALL
  };
  for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
    void *found = dlsym(library, wanted[index].name);
    if (found == NULL) return -1;
    *(void **)wanted[index].place = found;
  }
  return 0;
}
