"use strict";
(() => {
const calls = document.getElementById("calls");
const phone = document.getElementById("phone");
const tabs = document.getElementById("tabs");

// The timeline. A call comes again when it has its response, or when its login is known.
const show = ({ html }) => {
  const row = document.createRange().createContextualFragment(html).firstElementChild;
  const known = document.getElementById(row.id);
  document.getElementById("no-calls").hidden = true;
  row.querySelector("[data-copy]").hidden = !navigator.clipboard;
  if (!known) {
    // A call whose login became known later belongs before those that followed it.
    const number = ({ id }) => Number(id.slice("call-".length));
    const next = [...calls.children].find((one) => number(one) > number(row));
    return calls.insertBefore(row, next ?? null);
  }
  if (known.outerHTML === row.outerHTML) return undefined;
  const focused = known.contains(document.activeElement);
  row.firstElementChild.open = known.firstElementChild.open;
  known.replaceWith(row);
  if (focused) row.querySelector("summary").focus();
  return undefined;
};
const offerCopies = () => {
  for (const button of tabs.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
};
offerCopies();
tabs.addEventListener("click", async ({ target }) => {
  if (!target.matches("[data-copy]")) return;
  const place = target.closest("#calls > li, .panel");
  await navigator.clipboard.writeText(place.querySelector(".curl, .code").textContent);
  target.textContent = "Copied";
});

// The other tabs. They change when a call does, and stay while the reader is in one of them.
let isSoon = false;
const renewTabs = () => {
  if (isSoon) return;
  isSoon = true;
  setTimeout(async () => {
    isSoon = false;
    const answer = await fetch(tabs.dataset.from, { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const panel of tabs.querySelectorAll("[data-live]")) {
      const next = page.getElementById(panel.id);
      if (!next || next.textContent === panel.textContent) continue;
      if (!panel.contains(document.activeElement)) panel.replaceChildren(...next.childNodes);
    }
    offerCopies();
  }, 500);
};
const mark = () => {
  for (const link of tabs.querySelectorAll("nav a")) {
    if (link.hash === (location.hash || "#timeline")) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
};
addEventListener("hashchange", mark);
mark();
// A browser has only six connections to a host, so a page that nobody sees keeps none for the timeline.
let source = null;
let last = calls.dataset.after;
const listen = () => {
  source?.close();
  source = null;
  if (document.hidden) return;
  source = new EventSource(`/sandbox/calls?as=html&after=${last}`);
  source.onmessage = (event) => {
    last = event.lastEventId;
    show(JSON.parse(event.data));
    renewTabs();
  };
};
document.addEventListener("visibilitychange", listen);
listen();

// The phone. Each fetch is answered when the server answers the app's long poll.
const replace = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const next = page.getElementById("phone");
  if (!next) return;
  const input = phone.querySelector("input[name=code]");
  if (input?.value && next.querySelector("input[name=code]")) return;
  document.title = page.title;
  if (next.dataset.follows) phone.dataset.follows = next.dataset.follows;
  else delete phone.dataset.follows;
  if (phone.innerHTML === next.innerHTML) return;
  const focused = phone.contains(document.activeElement);
  const unfolded = phone.querySelector("#break")?.open;
  phone.replaceChildren(...next.childNodes);
  if (unfolded && phone.querySelector("#break")) phone.querySelector("#break").open = true;
  if (focused) {
    phone.tabIndex = -1;
    phone.focus();
  }
};
const follow = async () => {
  while (phone.dataset.follows) {
    try {
      const answer = await fetch(phone.dataset.follows + "?look=25", { cache: "no-store" });
      replace(await answer.text());
      if (!answer.ok) return;
    } catch {
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
};
follow();
})();
