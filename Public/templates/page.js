"use strict";
// Keeps an open page up to date: asks for its state, and updates the page when the state changes.
(() => {
  const sleep = (ms) => new Promise((go) => setTimeout(go, ms));
  const inSight = () => new Promise((go) => {
    if (document.hidden) document.addEventListener("visibilitychange", go, { once: true });
    else go();
  });
  const state = () => document.querySelector("main").dataset.state;
  const ask = (path, options) => fetch(path, { cache: "no-store", credentials: "omit", ...options });

  // What a part shows, whether its folds are open or not.
  const content = (part) => {
    const copy = document.createElement("div");
    copy.append(part.cloneNode(true));
    for (const fold of copy.querySelectorAll("details")) fold.open = false;
    return copy.innerHTML;
  };

  // Parts that have not changed stay the same elements. So they keep the focus, an open fold stays open, and screen
  // readers announce nothing twice.
  const merge = (old, next) => {
    let at = old.firstElementChild;
    const drop = () => {
      const gone = at;
      at = at.nextElementSibling;
      gone.remove();
    };
    for (const part of [...next.children]) {
      let same = at;
      while (same && content(same) !== content(part)) same = same.nextElementSibling;
      if (same) {
        while (at !== same) drop();
        at = same.nextElementSibling;
      } else old.insertBefore(part, at);
    }
    while (at) drop();
  };

  // The time that is left is counted down silently, also while the server does not respond.
  let end = 0;
  const time = () => document.getElementById("time");
  const begin = () => {
    if (time()) end = Date.now() + 1000 * Number(time().dataset.left);
  };
  const count = () => {
    if (!time()) return;
    const left = (end - Date.now()) / 1000;
    if (left > 60) time().textContent = time().textContent.replace(/\d+/, Math.ceil(left / 60));
    else if (left > 0) time().textContent = time().dataset.ending;
    else time().remove();
  };

  const show = (page) => {
    const main = document.querySelector("main");
    const next = page.querySelector("main");
    const focused = document.activeElement;
    document.title = page.title;
    main.className = next.className;
    if (next.dataset.state) main.dataset.state = next.dataset.state;
    else delete main.dataset.state;
    for (const id of ["said", "todo", "left", "news", "more", "help"]) {
      const [old, part] = [document.getElementById(id), page.getElementById(id)];
      if (old && part) merge(old, part);
    }
    begin();
    if (!focused.isConnected) (document.getElementById(focused.id) || main).focus({ preventScroll: true });
  };

  const load = async () => {
    const answer = await ask(location.pathname);
    if (answer.status >= 500) throw answer;
    show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  };

  // The page's only form asks for more time. Without script the browser sends it, and loads the page again.
  document.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await ask(location.pathname, { method: "POST", redirect: "manual" });
      await load();
    } catch {
      // The button is still there.
    }
  });

  const watch = async () => {
    let pause = 1;
    while (state()) {
      await inSight();
      try {
        const headers = { "If-None-Match": `"${state()}"`, Prefer: "wait=10" };
        const answer = await ask(location.pathname + "/state", { headers });
        if (answer.status === 200 || answer.status === 404) await load();
        else if (answer.status !== 304) throw answer;
        pause = 1;
      } catch (failure) {
        // Too many requests, or the server is unavailable: wait before the next one, and longer each time.
        const wanted = failure.headers ? Number(failure.headers.get("Retry-After")) : 0;
        pause = Math.min(Math.max(2 * pause, wanted || 0), 30);
      }
      await sleep(1000 * pause);
    }
  };

  begin();
  setInterval(count, 5000);
  watch();
})();
