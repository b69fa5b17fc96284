/* libpcap: live capture. */
#ifndef CPCAP_SHIM_H
#define CPCAP_SHIM_H

#if !__has_include(<pcap/pcap.h>)
#error "pcap/pcap.h is missing: apt-get install libpcap-dev"
#endif

#include <pcap/pcap.h>

#endif
