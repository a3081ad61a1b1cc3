// The page of the backend. It knows no secret: it asks its own backend, and shows the answer.

const [says, logIn, code, digits, goOn, giveUp, logOut] =
  ["says", "log-in", "code", "digits", "continue", "give-up", "log-out"].map((id) => document.getElementById(id));
const texts = {
  none: "You are not logged in.", paused: "Your login is not finished.", wrong_code: "These digits are wrong.",
  failed: "The login is lost.",
};

/** Polls of a page that is not shown are ended. */
let polls = new AbortController();

async function post(path, body = {}) {
  const response = await fetch(path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) says.textContent = answer.notice ?? `That did not work (${answer.code}).`;
  if (answer.url) location.assign(answer.url);
}

function show(state) {
  const isOpen = !state.isFinal;
  says.textContent = state.name ? `Welcome, ${state.name}` : state.message ?? texts[state.code] ?? "One moment …";
  if (!state.name && state.isFinal && state.reason) says.textContent = `The login did not end well (${state.reason}).`;
  if (state.code === "none" && location.hash === "#elsewhere") {
    says.textContent = "Continue in the window where you began. If you began no login, close this page.";
  }
  logIn.hidden = isOpen || state.name !== null && state.name !== undefined;
  logOut.hidden = !state.name;
  code.hidden = !isOpen || !["enter_code", "show_browser"].includes(state.action);
  goOn.hidden = !isOpen || !(state.code === "paused" || state.action === "enter_code");
  giveUp.hidden = !isOpen;
}

async function watch({ signal }) {
  let after = -1;
  while (!signal.aborted) {
    try {
      const response = await fetch(`/login?after=${after}`, { signal });
      const state = await response.json();
      after = state.version;
      show(state);
      // Without a login there is no news.
      if (state.code === "none" && state.version === 0) return;
    } catch {
      if (!signal.aborted) await new Promise((resume) => setTimeout(resume, 2000));
    }
  }
}

logIn.addEventListener("click", () => post("/login", { provider: "mitid" }));
goOn.addEventListener("click", () => post("/login/continue"));
giveUp.addEventListener("click", () => post("/login/cancel"));
logOut.addEventListener("click", () => post("/logout"));
code.addEventListener("submit", (event) => {
  event.preventDefault();
  post("/login/code", { code: digits.value });
});

// At each load, and when the browser shows the page again as it was: perhaps the user is back without a link.
addEventListener("pageshow", async () => {
  polls = new AbortController();
  await post("/login/back");
  watch(polls);
});
addEventListener("pagehide", () => polls.abort());
