# Sourced by run: the initial RAM file system, in two archives that the kernel unpacks over each other. The first holds
# Debian's programs and modules and is kept; the second holds babbench and the tests and is made for each run.

# pack <tree> <archive>: uncompressed, since inflating costs more in emulation than it saves.
pack() { (cd "$1" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0) > "$2"; }

# put <tree> <file on this machine> <path in the guest>
put() { mkdir -p "$1/$(dirname "$3")" && cp -L "$2" "$1/$3"; }

# libraries <loader and its options …> <program>: absolute paths of what it is linked against.
libraries() {
  local found
  found=$("$@") || { echo "cannot list the libraries of ${*: -1}" >&2; return 1; }
  if grep 'not found' <<< "$found" >&2; then return 1; fi
  sed -n 's/.* => \(\/[^ ]*\) (0x.*/\1/p' <<< "$found"
}

# Debian's part. <cache> holds kernel/ and tools/.
make_base() {
  local cache=$1 tree=$1/base program library version module
  local root=$cache/tools
  [ ! -f "$cache/base.cpio" ] || [ "$here/packages.sh" -nt "$cache/base.cpio" ] \
    || [ "$here/image.sh" -nt "$cache/base.cpio" ] || return 0
  rm -rf "$tree"
  mkdir -p "$tree"/{bin,dev,etc,proc,sys,run/dbus,tmp,root,usr/bin,usr/sbin,sbin,out,var/lib/bluetooth}
  put "$tree" "$root/bin/busybox" bin/busybox
  put "$tree" "$root/lib64/ld-linux-x86-64.so.2" lib64/ld-linux-x86-64.so.2
  local paths=$root/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu
  for program in "${guest_programs[@]}"; do
    put "$tree" "$root$program" "$program"
    libraries "$root/lib64/ld-linux-x86-64.so.2" --library-path "$paths" --list "$root$program" > "$cache/needed" \
      || return 1
    while read -r library; do
      [ -f "$tree/lib/${library##*/}" ] || put "$tree" "$library" "lib/${library##*/}"
    done < "$cache/needed"
  done
  for program in "${guest_files[@]}"; do put "$tree" "$root$program" "$program"; done
  version=$(ls "$cache/kernel/lib/modules")
  local modules=$cache/kernel/lib/modules/$version
  for module in "${guest_modules[@]}"; do
    grep -E "(^|/)${module//_/[-_]}\.ko:" "$modules/modules.dep" | tr -d ':' | tr ' ' '\n' | grep . \
      || ! is_loadable "$module" "$modules" || { echo "the kernel has no module $module" >&2; return 1; }
  done > "$cache/needed"
  sort -u "$cache/needed" | while read -r module; do put "$tree" "$modules/$module" "lib/modules/$version/$module"; done
  "$root/bin/busybox" depmod -b "$tree" "$version"
  printf '%s\n' "${guest_modules[@]}" > "$tree/etc/modules"
  printf 'root:x:0:0:root:/root:/bin/sh\nmessagebus:x:100:100::/:/bin/false\n' > "$tree/etc/passwd"
  printf 'root:x:0:\nmessagebus:x:100:\nbluetooth:x:101:\n' > "$tree/etc/group"
  pack "$tree" "$cache/base.cpio"
  rm -rf "$tree"
}

is_loadable() { ! grep -qE "/${1//_/[-_]}\.ko$" "$2/modules.builtin"; }

# compile <program>: guest/<program>.c, without libraries, since the guest has those of Debian. Who builds babbench has a
# C compiler.
compile() {
  local compiler
  compiler=$(command -v clang || command -v cc) || { echo "no C compiler for guest/${1##*/}.c" >&2; return 1; }
  "$compiler" -O1 -static -o "$1" "$here/guest/${1##*/}.c"
}

# Ours: the tests, and babbench with the libraries and the loader of this machine, which need not be Debian's.
make_overlay() {
  local babbench=$1 archive=$2 tree library pcap
  tree=$work/overlay
  mkdir -p "$tree/opt/babbench/lib"
  cp "$here/guest/init" "$tree/init"
  cp -R "$here/guest" "$tree/opt/guest"
  if [ -n "$babbench" ]; then
    put "$tree" "$babbench" opt/babbench/babbench
    put "$tree" /lib64/ld-linux-x86-64.so.2 opt/babbench/lib/ld-linux-x86-64.so.2
    libraries ldd "$babbench" > "$work/needed" || return 1
    # It opens libpcap when a capture asks for it, and is not linked to it.
    pcap=$(PATH=$PATH:/sbin ldconfig -p | sed -n 's/.*libpcap\.so\.0\.8 .*=> //p' | head -n 1)
    [ -z "$pcap" ] || { echo "$pcap" && libraries ldd "$pcap"; } >> "$work/needed" || return 1
    while read -r library; do
      put "$tree" "$library" "opt/babbench/lib/${library##*/}"
    done < "$work/needed"
    if command -v strip > /dev/null; then strip "$tree/opt/babbench/babbench" "$tree"/opt/babbench/lib/*; fi
    cp -R "$root/Scenarios" "$tree/opt/babbench/Scenarios"
    mkdir -p "$tree/bin"
    cp "$here/guest/babbench" "$tree/bin/babbench"
    compile "$tree/bin/flood" || return 1
    compile "$tree/bin/on-attribute-pdu" || return 1
  fi
  pack "$tree" "$archive"
  rm -rf "$tree"
}
