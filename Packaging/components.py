#!/usr/bin/env python3
"""What a release is made of: the texts of all licences, and the list of parts as SPDX 2.3.

Versions are those of Packaging/pins.json and of the machine; licences are read from the checkouts of the packages. A
package without a licence that is known here ends the release.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SWIFT_LICENCE = "Apache-2.0 WITH Swift-exception"


@dataclass
class Component:
    """A part, and what SPDX calls its relation to the program."""

    name: str
    version: str
    source: str
    licence: str
    link: str = "STATIC_LINK"
    texts: list[Path] = field(default_factory=list)

    @property
    def identity(self) -> str:
        """The name by which relations refer to it."""
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", self.name)


def first(*commands: list[str]) -> str:
    """What the first of the commands prints that can be run; NOASSERTION without one."""
    for command in commands:
        try:
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            continue
        if said:
            return said.splitlines()[0]
    return "NOASSERTION"


def recognise(text: str, name: str) -> str:
    """The SPDX expression of a licence's text."""
    if "Apache License" in text:
        return SWIFT_LICENCE if "Runtime Library Exception" in text else "Apache-2.0"
    if "The MIT License" in text or "MIT License" in text:
        return "MIT"
    sys.exit(f"{name}: its licence is not known to Packaging/components.py")


def checkout(identity: str, folders: list[Path]) -> Path:
    """Where the sources of a package are; SwiftPM writes identities in lower case."""
    for folder in folders:
        for child in sorted(folder.glob("*")):
            if child.name.lower() == identity:
                return child
    sys.exit(f"{identity}: no checkout; build first")


def is_linked(folder: Path) -> bool:
    """Whether a target of a package is in the program; all are, as long as no program for an archive was built."""
    listed = ROOT / ".build-archive/release/babbench.product/Objects.LinkFileList"
    if not listed.exists():
        return True
    targets = set(re.findall(r"/(\w+)\.build/", listed.read_text()))
    return any(target.name in targets for target in (folder / "Sources").iterdir())


def packages() -> list[Component]:
    """The pins that every build of a clone uses."""
    pins = json.loads((ROOT / "Packaging/pins.json").read_text())["pins"]
    folders = [ROOT / ".build-archive" / "checkouts", ROOT / ".build" / "checkouts"]
    found = []
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        folder = checkout(pin["identity"], folders)
        texts = sorted(file for kind in ("LICENSE*", "NOTICE*") for file in folder.glob(kind))
        if not texts:
            sys.exit(f"{pin['identity']}: it has no licence file")
        licence = recognise(texts[0].read_text(), pin["identity"])
        source = f"git+{pin['location'].removesuffix('.git')}@{pin['state']['version']}"
        link = "STATIC_LINK" if is_linked(folder) else "BUILD_DEPENDENCY_OF"
        found.append(Component(folder.name, pin["state"]["version"], source, licence, link, texts))
    yams = next(part for part in found if part.name == "Yams")
    texts = [ROOT / "Packaging/licences/libyaml.txt"]
    return [*found, Component("libyaml", "as in Yams " + yams.version, yams.source, "MIT", yams.link, texts)]


def toolchain() -> list[Component]:
    """The parts of the Swift runtime that a static link takes."""
    said = first(["swift", "--version"])
    version = match[1] if (match := re.search(r"Swift version (\S+)", said)) else "NOASSERTION"
    text = Path(first(["sh", "-c", 'readlink -f "$(command -v swiftc)"'])).parent / "../share/swift/LICENSE.txt"
    if not text.exists():
        sys.exit(f"{text} is missing: the licence of the Swift runtime")
    parts = ["swift", "swift-foundation", "swift-corelibs-foundation", "swift-corelibs-libdispatch"]
    home = "git+https://github.com/swiftlang/"
    found = [Component(part, version, home + part, SWIFT_LICENCE, texts=[text]) for part in parts]
    icu = "swift-foundation-icu"
    texts = [ROOT / "Packaging/licences/ICU.txt"]
    return [*found, Component(icu, version, home + icu, "Unicode-3.0", texts=texts)]


def system() -> list[Component]:
    """Libraries of the system that are linked statically, and what the machine that runs the program has to have."""

    def installed(package: str) -> str:
        return first(["dpkg-query", "-W", "-f", "${Version}", package])

    def text(package: str, whose: str) -> Path:
        path = Path(f"/usr/share/doc/{package}/copyright")
        if not path.exists():
            sys.exit(f"{path} is missing: the licence of {whose}; apt-get install {package}")
        return path

    ssl, zlib = text("libssl-dev", "OpenSSL's libcrypto"), text("zlib1g-dev", "zlib")
    gcc = "GPL-3.0-or-later WITH GCC-exception-3.1"
    base = f"gcc-{first(['gcc', '-dumpversion']).partition('.')[0]}-base"
    runtime = [text(base, "the C++ library")]
    glibc, pcap = "https://www.gnu.org/software/libc/", "https://www.tcpdump.org"
    return [
        Component("openssl", installed("libssl-dev"), "https://www.openssl.org", "Apache-2.0", texts=[ssl]),
        Component("zlib", installed("zlib1g-dev"), "https://zlib.net", "Zlib", texts=[zlib]),
        Component("glibc", installed("libc6"), glibc, "LGPL-2.1-or-later", "DYNAMIC_LINK"),
        Component("libstdc++", installed(base), "https://gcc.gnu.org", gcc, texts=runtime),
        Component("libgcc", installed(base), "https://gcc.gnu.org", gcc, texts=runtime),
        Component("libpcap", installed("libpcap-dev"), pcap, "BSD-3-Clause", "OPTIONAL_DEPENDENCY_OF"),
    ]


def licences(own: Component, parts: list[Component]) -> str:
    """One page: a table of what is linked statically, and each text once."""
    static = [own] + [part for part in parts if part.link == "STATIC_LINK"]
    names: dict[str, list[str]] = {}
    for part in static:
        for text in part.texts:
            names.setdefault(text.read_text().strip(), []).append(part.name)
    page = "babbench, and what is linked into it:\n\n"
    page += "".join(f"  {part.name} {part.version}: {part.licence}\n" for part in static)
    for words, users in names.items():
        page += f"\n{'=' * 78}\n{', '.join(users)}\n{'=' * 78}\n\n{words}\n"
    return page


def sbom(own: Component, parts: list[Component]) -> str:
    """The list of parts as SPDX 2.3."""
    created = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)

    def package(part: Component) -> dict[str, object]:
        return {
            "SPDXID": part.identity,
            "name": part.name,
            "versionInfo": part.version,
            "downloadLocation": part.source if part.source.startswith("git+") else "NOASSERTION",
            "homepage": part.source.removeprefix("git+").partition("@")[0],
            "filesAnalyzed": False,
            "licenseConcluded": part.licence,
            "licenseDeclared": part.licence,
            "copyrightText": "NOASSERTION",
        }

    def relation(one: str, kind: str, other: str) -> dict[str, str]:
        return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}

    def use(part: Component) -> dict[str, str]:
        ends = (part.identity, own.identity) if part.link.endswith("_OF") else (own.identity, part.identity)
        return relation(ends[0], part.link, ends[1])

    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"babbench-{own.version}",
        "documentNamespace": f"urn:babbench:{own.version}:{os.uname().machine}:{int(created.timestamp())}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: babbench-release"]},
        "packages": [package(part) for part in [own, *parts]],
        "relationships": [relation("SPDXRef-DOCUMENT", "DESCRIBES", own.identity), *map(use, parts)],
    }
    return json.dumps(document, indent=2) + "\n"


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--licences", type=Path, required=True, help="where the texts of the licences go")
    parser.add_argument("--sbom", type=Path, required=True, help="where the list of parts goes")
    arguments = parser.parse_args()
    version = first([str(ROOT / "Packaging/version")])
    own = Component("babbench", version, "NOASSERTION", "Apache-2.0", texts=[ROOT / "LICENSE"])
    parts = packages() + toolchain() + system()
    arguments.licences.write_text(licences(own, parts))
    arguments.sbom.write_text(sbom(own, parts))


if __name__ == "__main__":
    main()
