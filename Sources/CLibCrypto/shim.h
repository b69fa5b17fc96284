/* OpenSSL's libcrypto: AES and P-256. */
#ifndef CLIBCRYPTO_SHIM_H
#define CLIBCRYPTO_SHIM_H

#if !__has_include(<openssl/evp.h>)
#error "openssl/evp.h is missing: apt-get install libssl-dev"
#endif

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>

#endif
