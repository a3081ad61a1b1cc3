"use strict";
(() => {
const calls = document.getElementById("calls");
const phone = document.getElementById("phone");
const tabs = document.getElementById("tabs");

// For a screen reader, and for whoever looks elsewhere.
const tell = (words) => { document.getElementById("told").textContent = words; };
// Why the login failed, and at which call.
const why = () => document.getElementById("why");
// In words, as the server writes it when the page is loaded again.
const refuse = (row) => {
  row.classList.add("bad");
  const status = row.querySelector(".status");
  const code = Number.parseInt(status.textContent, 10);
  if (code < 400) status.textContent = `✗ ${code}, refused`;
};
const showWhy = () => {
  const row = document.getElementById(why().dataset.call);
  if (row) refuse(row);
};

// The timeline. A call comes again when it has its response, or when its login is known.
const show = ({ html }) => {
  const row = document.createRange().createContextualFragment(html).firstElementChild;
  const known = document.getElementById(row.id);
  document.getElementById("no-calls").hidden = true;
  // A call whose login is not known yet has no button.
  for (const button of row.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  if (!known) {
    // A call whose login became known later belongs before those that followed it.
    const number = ({ id }) => Number(id.slice("call-".length));
    const next = [...calls.children].find((one) => number(one) > number(row));
    return calls.insertBefore(row, next ?? null);
  }
  if (row.id === why().dataset.call) refuse(row);
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
  // What has secrets is fetched only now.
  const from = target.dataset.copy;
  const answer = from ? await fetch(from, { cache: "no-store" }).catch(() => null) : null;
  if (from && !answer?.ok) return tell("The sandbox no longer has this call.");
  const words = from ? await answer.text() : target.closest(".panel").querySelector(".code").textContent;
  await navigator.clipboard.writeText(words);
  target.textContent = "Copied";
  return tell("Copied");
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
    const reason = page.getElementById("why");
    if (reason && reason.textContent !== why().textContent) {
      why().replaceWith(reason);
      showWhy();
      if (reason.textContent) tell(reason.textContent);
    }
    for (const panel of tabs.querySelectorAll("[data-live]")) {
      const next = page.getElementById(panel.id);
      if (!next || next.textContent === panel.textContent) continue;
      if (!panel.contains(document.activeElement)) panel.replaceChildren(...next.childNodes);
    }
    offerCopies();
  }, 500);
};
const mark = () => {
  const links = [...tabs.querySelectorAll("nav a")];
  const now = links.find((link) => link.hash === location.hash) ?? links[0];
  for (const link of links) {
    if (link === now) link.setAttribute("aria-current", "true");
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
const plain = (part) => {
  const copy = part.cloneNode(true);
  copy.querySelector("#break")?.removeAttribute("open");
  return copy.innerHTML;
};
const replace = (html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  const next = page.getElementById("phone");
  if (!next) return;
  if (next.dataset.follows) phone.dataset.follows = next.dataset.follows;
  else delete phone.dataset.follows;
  const input = phone.querySelector("input[name=code]");
  if (input?.value && next.querySelector("input[name=code]")) return;
  // Only a number counts down: what has the focus stays.
  const [counter, nextCounter] = [phone, next].map((part) => part.querySelector("[data-counts]"));
  if (counter && nextCounter) {
    counter.textContent = nextCounter.textContent;
    if (plain(phone) === plain(next)) return;
  }
  if (document.title !== page.title) {
    // The reason may be known before the phone shows that the login has failed, or after.
    tell(`${next.querySelector("h1").textContent}. ${why().textContent}`);
  }
  document.title = page.title;
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
// A page that nobody answers looks as if it were live. One failure may be the end of the page itself.
const silence = document.getElementById("silence");
const follow = async () => {
  let failures = 0;
  while (phone.dataset.follows) {
    try {
      const seconds = phone.querySelector("[data-counts]") ? 1 : 25;
      const answer = await fetch(`${phone.dataset.follows}&look=${seconds}`, { cache: "no-store" });
      const text = await answer.text();
      failures = 0;
      silence.textContent = "";
      // A sandbox that was started again does not know this login. Its page says so, and leads on.
      if (answer.status === 400) return location.reload();
      replace(text);
      if (!answer.ok) return undefined;
    } catch {
      failures += 1;
      if (failures > 1) silence.textContent = "The sandbox does not answer. Is it still running?";
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
  return undefined;
};
follow();

// A link back opens the phone in the tab of the browser, and the phone is open already in the tab that opened this one.
const isPhoneOpen = () => {
  try {
    return Boolean(window.opener?.document.getElementById("phone"));
  } catch {
    return false;
  }
};
if (isPhoneOpen()) {
  const note = document.createElement("p");
  note.className = "said";
  note.textContent = "Back on the phone. Its first tab shows the same, so you can close this one.";
  document.querySelector("main").prepend(note);
  window.close();
}

// A phone that is higher than the window scrolls until its end is seen, and stays there.
const place = () => {
  phone.style.setProperty("--top", `${Math.min(16, innerHeight - phone.offsetHeight - 16)}px`);
};
new ResizeObserver(place).observe(phone);
addEventListener("resize", place);

// A press loads the page again. The focus stays where it was, or goes to what is new.
addEventListener("submit", ({ target, submitter }) => {
  if (phone.contains(target) && !target.dataset.press) sessionStorage.setItem("pressed", submitter?.value ?? "");
});
const pressed = sessionStorage.getItem("pressed");
if (pressed !== null) {
  sessionStorage.removeItem("pressed");
  const places = [
    pressed === "code" && phone.querySelector("input[name=code]"),
    phone.querySelector(`button[value="${CSS.escape(pressed)}"]`), phone.querySelector("h1")];
  const target = places.find((one) => one && one.checkVisibility());
  if (target?.matches("h1")) target.tabIndex = -1;
  target?.focus({ preventScroll: true });
}

// The first page: only what the chosen app has.
const app = document.getElementById("app");
const choose = () => {
  for (const button of document.querySelectorAll("button[data-apps]")) {
    button.hidden = !button.dataset.apps.split(" ").includes(app.value);
    const note = button.querySelector("small");
    if (note) note.hidden = true;
  }
};
if (app) {
  app.addEventListener("change", choose);
  choose();
}
})();
