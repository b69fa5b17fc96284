(async () => {
  while (!window.babbench) await new Promise((done) => setTimeout(done, 10));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const page = window.babbench, drawing = page.drawing, model = page.model, view = page.view;
  const wrong = [];
  const check = (holds, what) => { if (!holds) wrong.push(what); };
  const key = (name) => view.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  // As a person presses it: wherever the focus is.
  const press = (name) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  const settle = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const detail = document.getElementById("detail"), stage = document.querySelector(".stage");
  const isNarrow = window.innerWidth < 760;
  const overlaps = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  // The part of the picture that is in the window, and whether something lies on it.
  const seen = () => {
    const box = stage.getBoundingClientRect();
    return { left: Math.max(0, box.left), right: Math.min(innerWidth, box.right), top: Math.max(0, box.top), bottom: Math.min(innerHeight, box.bottom) };
  };
  const isClear = () => {
    const box = seen(), places = [0.02, 0.25, 0.5, 0.75, 0.98];
    return places.every((x) => places.every((y) => document.elementFromPoint(
      box.left + x * (box.right - box.left), box.top + y * (box.bottom - box.top))?.closest(".stage, .tools")));
  };
  const median = (times, draw) => {
    const taken = [];
    for (let i = 0; i < times; i++) { const begin = performance.now(); draw(); drawing.draw(); taken.push(performance.now() - begin); }
    return taken.sort((a, b) => a - b)[times >> 1].toFixed(1);
  };
  // What the page is when it opens.
  check(scrollY === 0 && seen().top < innerHeight * 0.32, "the picture begins in the upper third");
  check(seen().bottom - seen().top > Math.min(stage.offsetHeight - 2, innerHeight * 0.3), "the picture is in the window");
  check(isClear() && (detail.hidden || !overlaps(detail.getBoundingClientRect(), stage.getBoundingClientRect())), "nothing lies on the picture");
  if (detail.hidden && model.marks.length) {
    page.open({ kind: "mark", index: 0 });
    await settle();
    check(isClear() && !overlaps(detail.getBoundingClientRect(), stage.getBoundingClientRect()), "what is opened does not lie on the picture");
  }
  const isOpen = !detail.hidden, chosen = drawing.selected;
  press("Escape");
  check(detail.hidden && document.activeElement === view, "Escape closes before anything was clicked");
  if (isOpen) page.open(chosen);
  await settle();
  // Nothing but the picture moves sideways, and everything that is pressed can be.
  const wide = () => [...document.body.querySelectorAll("*")].filter((part) => part.scrollWidth > part.clientWidth + 1 && !part.closest(".stage")
    && ["auto", "scroll"].includes(getComputedStyle(part).overflowX) && part.clientWidth > 0);
  check(wide().length === 0, "nothing but the picture scrolls sideways");
  if (isNarrow) {
    const small = () => [...document.querySelectorAll(".tools button, .side button, .side summary, #detail button, .marks button")]
      .filter((part) => part.getClientRects().length && part.getBoundingClientRect().height < 40);
    check(small().length === 0, "what is pressed is 40 pixels high");
  }
  const bad = model.marks.findIndex((mark) => mark.bad);
  check(bad < 0 || (drawing.selected && drawing.selected.kind === "mark" && model.marks[drawing.selected.index].bad), "what fails is open at first");
  for (const index of model.marks.keys()) {
    if (!model.marks[index].bad) continue;
    drawing.show(model.marks[index].at, 2e9);
    drawing.draw();
    const hit = drawing.at(drawing.x(model.marks[index].at), 22 + (drawing.ruler ?? 0));
    check(hit && hit.kind === "mark" && model.marks[hit.index].bad, "what is bad lies on top");
    break;
  }
  check(view.getAttribute("role") === "application", "a screen reader leaves the keys to the picture");
  check([...document.querySelectorAll(".tools button")].every((button) => button.getAttribute("aria-label")), "buttons have names");
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
  check(document.activeElement === view, "Escape gives the keys back to the picture");
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
    check(/network\.pcapng packet \d+/.test(detail.textContent), "a frame leads to what carried it");
    check(detail.querySelectorAll("pre").length === 2 && /^([0-9a-f]{2} ){8}/.test(detail.querySelectorAll("pre")[1].textContent), "a frame has its packet and its octets");
    detail.querySelector("button:not(.close)").click();
    check(drawing.selected.kind === "pdu" && model.files[model.pdus.file[drawing.selected.index]].endsWith("network.pcapng"), "that is a packet of the network");
    const tracks = new Set(model.spans.map((span) => model.texts[span.track]));
    check(tracks.has("path") && tracks.has("BLE") && [...tracks].some((track) => track.includes("stream")), "lanes show paths, BLE and streams");
    const found = model.marks.findIndex((mark) => mark.kind === "discovery");
    if (found >= 0) {
      page.goto({ kind: "mark", index: found });
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
  // The list beside the picture.
  const story = document.getElementById("story"), steps = [...document.querySelectorAll("[data-mark]")];
  const listed = model.marks.filter((mark) => ["step", "expectation", "finding", "comment", "difference"].includes(mark.kind));
  check(story && steps.length === listed.length, "the list has what was done and judged");
  if (story) {
    check(story.open === !isNarrow, "the list is open beside the picture and closed below it");
    const [list, picture] = [story.getBoundingClientRect(), stage.getBoundingClientRect()];
    check(isNarrow ? list.top >= picture.bottom : list.left >= picture.right && list.top < picture.bottom, "the list is beside the picture where there is room");
    story.open = true;
    const current = () => document.querySelectorAll("[data-mark][aria-current=step]");
    for (const button of [steps[0], steps[steps.length >> 1], steps.at(-1)]) {
      if (!button) continue;
      const mark = model.marks[Number(button.dataset.mark)];
      button.click();
      await settle();
      check(mark.at >= drawing.start && mark.at <= drawing.finish && drawing.selected?.index === Number(button.dataset.mark), "a step in the list leads to its instant");
      check(current().length === 1 && current()[0] === button, "the list marks what is chosen");
      check(button.textContent.includes(mark.text) && (mark.kind !== "expectation" || /\b(not )?met\b/.test(button.textContent)), "the list says the verdict");
      check(seen().bottom - seen().top > Math.min(stage.offsetHeight - 2, innerHeight * 0.2) && isClear(), "the picture stays in sight");
    }
    press("Escape");
    const first = listed.find((mark) => listed.some((other) => other.at > mark.at)), next = listed.find((mark) => first && mark.at > first.at);
    if (next) {
      drawing.fit();
      drawing.draw();
      const box = view.getBoundingClientRect(), time = Math.max(first.at, next.at - 12 * drawing.scale);
      view.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + drawing.x(time), clientY: box.top + drawing.height - 4, bubbles: true }));
      const there = model.marks[Number(current()[0]?.dataset.mark)];
      check(current().length === 1 && there.at <= time + 6 * drawing.scale && !listed.some((mark) => mark.at > there.at && mark.at < time - 6 * drawing.scale), "the list marks what is at the cursor");
    }
    check(wide().length === 0, "the list does not scroll sideways");
    story.open = !isNarrow;
  }
  // Texts in one line, and flags, do not lie on each other, however close one looks.
  const texts = [], pen = drawing.pen, { fillText, fillRect } = pen;
  pen.fillText = (text, x, y) => { texts.push({ text, x, y, right: x + pen.measureText(text).width }); fillText.call(pen, text, x, y); };
  pen.fillRect = (x, y, w, h) => { if (w === 8 && h === 9) texts.push({ text: null, x, y: y + 5, right: x + w }); fillRect.call(pen, x, y, w, h); };
  const clash = () => {
    texts.length = 0;
    drawing.draw();
    const shown = texts.filter((text) => text.x > drawing.gutter - 4).sort((a, b) => a.x - b.x);
    for (const [i, a] of shown.entries()) {
      for (const b of shown.slice(i + 1)) {
        if (b.x >= a.right - 0.5) break;
        // Two flags may touch, and packets cross everything.
        if (Math.abs(a.y - b.y) < 4 && (a.text ?? b.text) !== null && ![a, b].some((t) => ["!", "≠", "×"].includes(t.text))) return `${a.text ?? "flag"} / ${b.text ?? "flag"}`;
      }
    }
    return null;
  };
  const before = { ...drawing.shows };
  drawing.shows.packets = false;
  // What is scrolled below the ruler is not seen.
  view.parentElement.scrollTop = 0;
  drawing.fit();
  const clashes = new Set();
  for (let level = 0; level < 14; level++) {
    for (const place of [0, 0.02, 0.5, 0.99]) {
      drawing.show(place * model.end);
      const found = clash();
      if (found) clashes.add(found);
    }
    drawing.zoom(1 / 1.7);
  }
  check(clashes.size === 0, `texts do not lie on each other (${[...clashes].slice(0, 3).join("; ")})`);
  delete pen.fillText;
  delete pen.fillRect;
  Object.assign(drawing.shows, before);
  // Standard error of programs.
  if (window.probesLog) {
    check(model.log?.length > 0 && document.querySelector("[data-show=log]"), "a program's standard error is there");
    const lane = model.logOf?.findIndex((own) => own.length > 0) ?? -1;
    if (lane >= 0) {
      const index = model.logOf[lane][0];
      page.goto({ kind: "log", index });
      drawing.draw();
      const hitLine = drawing.at(drawing.x(model.log.at[index]), drawing.logTop(lane) + 7);
      check(hitLine?.kind === "log" && model.log.at[hitLine.index] === model.log.at[index], "a line of standard error can be hit");
      check(detail.textContent.includes(model.texts[model.log.text[index]]), "a line of standard error can be read");
      search.value = model.texts[model.log.text[index]];
      search.dispatchEvent(new Event("input"));
      check(page.matches.some((item) => item.kind === "log"), "a search finds a line of standard error");
      press("Escape");
      check(search.value === "" && !page.matches, "Escape ends a search");
      const listedLine = document.querySelector("[data-log]");
      listedLine.closest("details").open = true;
      listedLine.click();
      check(drawing.selected.kind === "log", "a line in the list leads to the picture");
    }
  } else check(!document.querySelector("[data-show=log]"), "nothing of standard error where there is none");
  page.goto(pdu);
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
