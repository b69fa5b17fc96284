// A page that grows is shown in a frame; when its file has changed, the new data take the place of the old ones, and
// what is in view stays.

const frame = document.querySelector("iframe"), state = document.querySelector("output");
let tag = null, updates = 0;

function keepHash() {
  const hash = frame.contentWindow.location.hash;
  if (hash && hash !== location.hash) history.replaceState(null, "", hash);
}

async function look() {
  const answer = await fetch(frame.dataset.page, { cache: "no-store", headers: tag ? { "If-None-Match": tag } : {} });
  if (answer.status === 304) return;
  if (!answer.ok) throw new Error(`${answer.status}`);
  const isFirst = tag === null;
  tag = answer.headers.get("ETag");
  if (!isFirst) await take(await answer.text());
  const isRunning = frame.contentDocument.querySelector(".badge.running");
  state.textContent = `${isRunning ? "follows the session" : "complete"}, ${updates} updates`;
}

async function take(text) {
  const fresh = new DOMParser().parseFromString(text, "text/html"), old = frame.contentDocument;
  for (const id of ["picture", "more"]) old.getElementById(id).textContent = fresh.getElementById(id).textContent;
  for (const part of ["header.top", "ol.marks", "ul.lanes"]) {
    old.querySelector(part).replaceWith(old.adoptNode(fresh.querySelector(part)));
  }
  await frame.contentWindow.babbench.renew();
  updates += 1;
}

async function follow() {
  try {
    await look();
    keepHash();
  } catch (error) {
    state.textContent = `no answer: ${error.message}`;
  }
  setTimeout(follow, 1000);
}

frame.addEventListener("load", () => { frame.contentWindow.focus(); follow(); }, { once: true });
frame.src = frame.dataset.page + location.hash;
