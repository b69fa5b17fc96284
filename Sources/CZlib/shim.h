/* zlib: data inside pages, made smaller. */
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#if !__has_include(<zlib.h>)
#error "zlib.h is missing: apt-get install zlib1g-dev"
#endif

#include <zlib.h>

#endif
