"use strict";
// Keeps an open page up to date: asks for its state, and updates the page when the state changes.
(() => {
  const sleep = (ms) => new Promise((go) => setTimeout(go, ms));
  const inSight = () => new Promise((go) => {
    if (document.hidden) document.addEventListener("visibilitychange", go, { once: true });
    else go();
  });
  const state = () => document.querySelector("main").dataset.state;
  const get = (path, headers) => fetch(path, { headers, cache: "no-store", credentials: "omit" });

  // Unchanged parts stay in place. So does the live region, so that screen readers announce a change of its text.
  const show = (page) => {
    const main = document.querySelector("main");
    const next = page.querySelector("main");
    const focused = document.activeElement;
    const isUnfolded = document.querySelector("details[open]") !== null;
    document.title = page.title;
    main.className = next.className;
    if (next.dataset.state) main.dataset.state = next.dataset.state;
    else delete main.dataset.state;
    for (const id of ["said", "todo", "help"]) {
      const old = document.getElementById(id);
      const part = page.getElementById(id);
      if (old.innerHTML === part.innerHTML) continue;
      old.textContent = "";
      old.append(...part.childNodes);
    }
    const fold = document.querySelector("details");
    if (fold) fold.open = isUnfolded;
    if (!focused.isConnected) (document.getElementById(focused.id) || main).focus({ preventScroll: true });
  };

  const load = async () => {
    const answer = await get(location.pathname);
    if (answer.status >= 500) throw answer;
    show(new DOMParser().parseFromString(await answer.text(), "text/html"));
  };

  const watch = async () => {
    let pause = 1;
    while (state()) {
      await inSight();
      try {
        const answer = await get(location.pathname + "/state", { "If-None-Match": `"${state()}"`, Prefer: "wait=10" });
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

  watch();
})();
