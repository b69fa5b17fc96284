# Sourced by run: what the guest is made of. Nothing of it is installed on this machine; packages are fetched and
# unpacked below .build/vm and stay there.

# Debian's packages, and the files of them that go into the image.
tool_packages=(
  busybox-static bluez bluez-test-tools dbus dbus-bin dbus-daemon dbus-system-bus-common
  libapparmor1 libasound2 libaudit1 libbz2-1.0 libc6 libcap-ng0 libcap2 libdbus-1-3 libdw1 libelf1 libexpat1 libgcc-s1
  libgcrypt20 libglib2.0-0 libgpg-error0 liblz4-1 liblzma5 libpcre2-8-0 libreadline8 libselinux1 libsystemd0 libtinfo6
  libudev1 libzstd1 zlib1g
)
guest_programs=(
  /bin/hciconfig /usr/bin/bluetoothctl /usr/bin/btattach /usr/bin/btmgmt /usr/bin/btmon /usr/bin/btvirt
  /usr/bin/gatttool /usr/bin/hci-tester /usr/bin/hcitool /usr/bin/l2test /usr/bin/dbus-daemon /usr/bin/dbus-send
  /usr/sbin/bluetoothd
)
guest_files=(/usr/share/dbus-1/system.conf /etc/dbus-1/system.d/bluetooth.conf)
# With what each of them needs, from modules.dep.
guest_modules=(
  virtio_pci 9pnet_virtio 9p
  ctr sha512_generic drbg ecc ecdh_generic
  crc16 rfkill af_alg algif_hash algif_skcipher cmac ecb
  bluetooth hci_vhci hci_uart
)

# The name of the kernel's package, which carries its version.
kernel_package() {
  apt-cache depends linux-image-amd64 2> /dev/null \
    | sed -n 's/^ *Depends: \(linux-image-[0-9].*-amd64\)$/\1/p' | head -n 1
}

# fetch_packages <cache>: the kernel and the tools, unpacked; does nothing when they are there.
fetch_packages() {
  local cache=$1 kernel
  if ! command -v apt-get > /dev/null || ! command -v dpkg-deb > /dev/null; then
    echo "Debian's packages cannot be had: no apt-get or dpkg-deb here"
    return 1
  fi
  kernel=$(kernel_package)
  if [ -z "$kernel" ] && [ "$(id -u)" -eq 0 ]; then
    apt-get -qq update > /dev/null 2>&1 || true
    kernel=$(kernel_package)
  fi
  [ -n "$kernel" ] || { echo "Debian's packages cannot be had: linux-image-amd64 is unknown to apt"; return 1; }
  if [ "$(cat "$cache/packages" 2> /dev/null)" = "$kernel ${tool_packages[*]}" ]; then return 0; fi

  rm -rf "$cache"
  mkdir -p "$cache/debs" "$cache/kernel" "$cache/tools"
  echo "fetching $kernel and ${#tool_packages[@]} packages of tools"
  # A list that is out of date names packages that are no longer there.
  download "$cache/debs" "$kernel" || {
    [ "$(id -u)" -eq 0 ] && apt-get -qq update > /dev/null 2>&1 && kernel=$(kernel_package) \
      && download "$cache/debs" "$kernel"
  } || { echo "Debian's packages cannot be had: apt-get download failed"; cat "$cache/apt.log"; return 1; }
  unpack "$cache" || return 1
  rm -rf "$cache/debs"
  echo "$kernel ${tool_packages[*]}" > "$cache/packages"
}

download() {
  (cd "$1" && apt-get -qq -o APT::Sandbox::User=root download "$2" "${tool_packages[@]}") > "$1/../apt.log" 2>&1
}

# Of the kernel's package only what a guest without hardware can use: most of it is drivers.
unpack() {
  local cache=$1 package
  for package in "$cache"/debs/*.deb; do
    case ${package##*/} in
      linux-image-*)
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$cache/kernel" --wildcards './boot/vmlinuz*' \
          './lib/modules/*/modules.*' './lib/modules/*/kernel/'{arch,crypto,lib,net/bluetooth,net/9p,net/rfkill}'/*' \
          './lib/modules/*/kernel/'{fs/9p,fs/netfs,fs/fscache,drivers/virtio,drivers/bluetooth}'/*' || return 1
        ;;
      *) dpkg -x "$package" "$cache/tools" || return 1 ;;
    esac
  done
  "$cache/tools/bin/busybox" depmod -b "$cache/kernel" "$(ls "$cache/kernel/lib/modules")"
}
