# Sourced by run and attack: the machine. They have set root, here, cache and work.

absent() {
  echo "skipped: the virtual machine ($1)"
  [ -z "${BABBENCH_REQUIRE_TOOLS:-}" ] || exit 1
  exit 0
}

fetch() {
  local reason
  if ! install_missing qemu-system-x86_64:qemu-system-x86 cpio:cpio; then absent "no qemu-system-x86_64"; fi
  reason=$(fetch_packages "$cache") || absent "$reason"
  [ -z "$reason" ] || echo "$reason"
  make_base "$cache"
}

# make_machine <babbench> <folder>: what qemu starts, and where results go.
make_machine() {
  fetch
  make_overlay "$1" "$work/overlay.cpio"
  cat "$cache/base.cpio" "$work/overlay.cpio" > "$work/initrd"
  cp "$cache"/kernel/boot/vmlinuz-* "$work/vmlinuz"
  mkdir -p "$2"
  results=$(realpath "$2")
  : > "$work/console"
}

# describe <word of the kernel's command line …>: no network, no disk, no display; the console is the serial line,
# results go to a folder.
describe() {
  qemu_command=(
    qemu-system-x86_64 -machine "q35,accel=tcg" -cpu max -smp 2 -m 1024 -nodefaults -display none -no-reboot
    -kernel "$work/vmlinuz" -initrd "$work/initrd"
    -append "console=ttyS0 panic=-1 quiet mitigations=off cryptomgr.notests random.trust_cpu=on $*"
    -fsdev "local,id=out,path=$results,security_model=mapped-file" -device virtio-9p-pci,fsdev=out,mount_tag=out
  )
}
