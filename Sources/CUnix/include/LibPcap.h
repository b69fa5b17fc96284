/* libpcap, opened by the first live capture: a program that captures nothing needs no such library on its machine. */
#ifndef LIBPCAP_H
#define LIBPCAP_H

#if !__has_include(<pcap/pcap.h>)
#error "pcap/pcap.h is missing: apt-get install libpcap-dev"
#endif

#include <pcap/pcap.h>

/* The functions of libpcap that are called, with its own declarations. */
#define CPCAP_CALL(name) __typeof__(pcap_##name) *_Nonnull name
struct cpcap_calls {
  CPCAP_CALL(activate);
  CPCAP_CALL(close);
  CPCAP_CALL(create);
  CPCAP_CALL(datalink);
  CPCAP_CALL(findalldevs);
  CPCAP_CALL(freealldevs);
  CPCAP_CALL(get_selectable_fd);
  CPCAP_CALL(get_tstamp_precision);
  CPCAP_CALL(geterr);
  CPCAP_CALL(lib_version);
  CPCAP_CALL(next_ex);
  CPCAP_CALL(set_buffer_size);
  CPCAP_CALL(set_immediate_mode);
  CPCAP_CALL(set_snaplen);
  CPCAP_CALL(set_tstamp_precision);
};
#undef CPCAP_CALL

/* Opens libpcap and fills in its calls; the library stays open. Returns 0, or -1 where it is not installed or lacks a
 * call. */
int cpcap_open(struct cpcap_calls *_Nonnull calls);

#endif
