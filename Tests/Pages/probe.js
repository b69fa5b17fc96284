(async () => {
  while (!window.babbench) await new Promise((done) => setTimeout(done, 10));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const page = window.babbench, drawing = page.drawing, model = page.model, view = page.view;
  const wrong = [];
  const check = (holds, what) => { if (!holds) wrong.push(what); };
  const key = (name) => view.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true }));
  const median = (times, draw) => {
    const taken = [];
    for (let i = 0; i < times; i++) { const begin = performance.now(); draw(); drawing.draw(); taken.push(performance.now() - begin); }
    return taken.sort((a, b) => a - b)[times >> 1].toFixed(1);
  };
  const bad = model.marks.findIndex((mark) => mark.bad);
  check(bad < 0 || (drawing.selected && drawing.selected.kind === "mark" && model.marks[drawing.selected.index].bad), "what fails is open at first");
  for (const index of model.marks.keys()) {
    if (!model.marks[index].bad) continue;
    drawing.show(model.marks[index].at, 2e9);
    drawing.draw();
    const hit = drawing.at(drawing.x(model.marks[index].at), 22);
    check(hit && hit.kind === "mark" && model.marks[hit.index].bad, "what is bad lies on top");
    break;
  }
  check(view.getAttribute("role") === "application", "a screen reader leaves the keys to the picture");
  check([...document.querySelectorAll(".tools button")].every((button) => button.getAttribute("aria-label")), "buttons have names");
  check([...document.querySelectorAll(".marks th")].every((head) => head.textContent), "columns have names");
  const opened = performance.getEntriesByName("open")[0].duration;
  check(opened < 1000, "it opens in a second");
  drawing.fit();
  const whole = median(30, () => {});
  const span = drawing.span;
  key("+");
  check(drawing.span < span, "plus zooms in");
  key("-");
  check(Math.abs(drawing.span - span) < span / 1000, "minus zooms out again");
  key("]");
  check(!page.drawnItems.length || (drawing.selected && drawing.selected.kind === "mark"), "] goes to a mark");
  check(document.getElementById("detail").hidden === !drawing.selected, "what is chosen is shown");
  key("Enter");
  check(!drawing.selected || document.activeElement.closest("#detail"), "Enter goes to what it opens");
  key("Escape");
  check(document.getElementById("detail").hidden, "Escape closes it");
  for (let i = 0; i < 60; i++) key("+");
  check(drawing.scale >= 10, "zooming in ends");
  key("0");
  check(Math.abs(drawing.span - span) < span / 1000, "0 shows all");
  const search = document.getElementById("search");
  const word = model.texts.includes("HANDSHAKE") ? "HANDSHAKE" : model.texts[model.pdus.words[0]];
  search.value = word;
  search.dispatchEvent(new Event("input"));
  check(page.matches.length > 0, "a search finds what is there");
  key("]");
  check(drawing.selected.kind !== "mark" || model.words(drawing.selected).includes(word), "] goes to a match");
  search.value = "";
  search.dispatchEvent(new Event("input"));
  const pdu = { kind: "pdu", index: Math.floor(model.pdus.length / 2) };
  page.goto(pdu);
  await page.open(pdu);
  check(document.querySelectorAll("#detail pre").length === 2, "a PDU has layers and octets");
  drawing.draw();
  const x = drawing.x(model.pdus.start[pdu.index] + model.pdus.duration[pdu.index] / 2);
  const hit = drawing.at(x, drawing.radio(model.pdus.transmitter[pdu.index], model.pdus.row[pdu.index]) + 6);
  check(hit && hit.kind === "pdu", "a PDU can be hit");
  const frame = model.carriers.findIndex((list) => list.length > 0);
  if (frame >= 0) {
    await page.open({ kind: "packet", index: frame });
    const detail = document.getElementById("detail");
    check(/network\.pcapng packet \d+/.test(detail.textContent), "a frame leads to what carried it");
    check(detail.querySelectorAll("pre").length === 2 && /^([0-9a-f]{2} ){8}/.test(detail.querySelectorAll("pre")[1].textContent), "a frame has its packet and its octets");
    detail.querySelector("button:not(.close)").click();
    check(drawing.selected.kind === "pdu" && model.files[model.pdus.file[drawing.selected.index]].endsWith("network.pcapng"), "that is a packet of the network");
    const tracks = new Set(model.spans.map((span) => model.texts[span.track]));
    check(tracks.has("path") && tracks.has("BLE") && [...tracks].some((track) => track.includes("stream")), "lanes show paths, BLE and streams");
    const found = model.marks.findIndex((mark) => mark.kind === "discovery");
    if (found >= 0) {
      drawing.show(model.marks[found].at, 1e6);
      drawing.draw();
      check(drawing.at(drawing.x(model.marks[found].at), drawing.axis(model.marks[found].lane)), "what a browser found can be hit");
    }
    page.goto(pdu);
  }
  if (model.calls.length > 2) {
    const c = model.calls, index = model.callsOf.find((own) => own.length > 2)[1];
    page.goto({ kind: "call", index });
    drawing.draw();
    const y = drawing.callTop(c.lane[index]) + (c.kind[index] === 0 ? 8 : 21);
    const hitCall = drawing.at(drawing.x(c.at[index]), y);
    check(hitCall && hitCall.kind === "call" && c.at[hitCall.index] === c.at[index], "a call can be hit");
    check(/2 of \d+ in this lane, trace record \d+/.test(document.getElementById("detail").textContent), "a call says its place");
    key("]");
    check(drawing.selected.kind === "call" && model.callPlace[drawing.selected.index] === 2, "] goes to the next call of the lane");
    key("[");
    check(drawing.selected.index === index, "[ goes back");
    const listed = document.querySelector("[data-call]");
    listed.closest("details").open = true;
    listed.click();
    check(drawing.selected.kind === "call" && drawing.selected.index === Number(listed.dataset.call), "a call in the list leads to the picture");
    page.goto(pdu);
  } else check(!document.querySelector("[data-show=calls], .calls"), "nothing of calls where there are none");
  page.list();
  check(document.querySelectorAll("#list li").length > 0, "the list says what is in view");
  check(document.documentElement.scrollWidth <= window.innerWidth, "nothing is wider than the window");
  drawing.fit();
  drawing.scale /= 10;
  drawing.clamp();
  const tenth = median(60, () => drawing.pan(40));
  drawing.fit();
  const outcome = wrong.length ? "probe: NOT " + wrong.join(", ") : "probe: all checks hold";
  console.log(`${outcome}; ${model.packets.length} packets, ${model.pdus.length} PDUs, open ${opened.toFixed(0)} ms, whole ${whole} ms, a tenth ${tenth} ms`);
})();
