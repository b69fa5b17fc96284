// Asks four times a second what has passed, and draws it: devices where they stand, links, and each packet for a moment.

const svg = document.querySelector("svg"), body = document.querySelector("tbody");
const state = document.querySelector("output"), hold = document.querySelector("button");
const rows = 200, flash = 700;
let last = 0, devices = [], flying = [];

hold.addEventListener("click", () => {
  hold.setAttribute("aria-pressed", hold.getAttribute("aria-pressed") === "true" ? "false" : "true");
});

function make(name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// Places fill the picture, with one scale for both directions.
function scale() {
  const box = svg.getBoundingClientRect(), margin = 80;
  const xs = devices.map((d) => d.x), ys = devices.map((d) => d.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const unit = Math.min((box.width - 2 * margin) / Math.max(width, 100), (box.height - 2 * margin) / Math.max(height, 100));
  const [dx, dy] = [(box.width - width * unit) / 2, (box.height - height * unit) / 2];
  return (d) => [dx + (d.x - left) * unit, dy + (d.y - top) * unit];
}

function draw(links) {
  if (devices.length === 0) return;
  const place = scale(), now = performance.now();
  flying = flying.filter((packet) => now - packet.seen < flash);
  const parts = [];
  for (const [a, b] of links) {
    if (!devices[a] || !devices[b]) continue;
    const [[x1, y1], [x2, y2]] = [place(devices[a]), place(devices[b])];
    parts.push(make("line", { x1, y1, x2, y2, class: "link" }));
  }
  for (const packet of flying) {
    const opacity = 1 - (now - packet.seen) / flash, from = devices[packet.from], to = devices[packet.to];
    if (!from) continue;
    const [x1, y1] = place(from);
    if (to) {
      const [x2, y2] = place(to);
      parts.push(make("line", { x1, y1, x2, y2, class: "packet " + packet.fate, opacity }));
    } else {
      parts.push(make("circle", { cx: x1, cy: y1, r: 10 + 30 * (1 - opacity), class: "packet " + packet.fate, opacity }));
    }
  }
  for (const device of devices) {
    const [cx, cy] = place(device), dot = make("circle", { cx, cy, r: 8, class: device.on ? "device" : "device off" });
    dot.append(make("title", {}, device.about));
    parts.push(dot, make("text", { x: cx + 11, y: cy + 4 }, device.name));
  }
  svg.replaceChildren(...parts);
}

function list(packets) {
  if (hold.getAttribute("aria-pressed") === "true") return;
  for (const packet of packets) {
    const row = document.createElement("tr");
    row.className = packet.fate;
    const names = [packet.from, packet.to].map((index) => devices[index]?.name ?? "all");
    for (const text of [packet.t, ...names, packet.channel, packet.words]) {
      row.append(Object.assign(document.createElement("td"), { textContent: text }));
    }
    body.prepend(row);
  }
  while (body.rows.length > rows) body.lastChild.remove();
}

async function look() {
  let wait = 250;
  try {
    const answer = await fetch("/-/room.json?since=" + last, { cache: "no-store" });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const room = await answer.json(), seen = performance.now();
    devices = room.devices;
    for (const packet of room.packets) flying.push({ ...packet, seen });
    last = room.packets.at(-1)?.n ?? last;
    list(room.packets);
    draw(room.links);
    state.textContent = room.over ? "the session is over" : room.now;
    if (room.over) return;
  } catch (error) {
    state.textContent = `no answer: ${error.message}`;
    wait = 2000;
  }
  setTimeout(look, wait);
}

look();
