// A complete page: a button for each e-ID, every state of a login, and the way back without a link.

import { createSwitchback } from "/switchback/index.js";

const switchback = createSwitchback({ server: "http://127.0.0.1:8080", app: "demo" });
const [says, providers, code, digits, goOn, giveUp] = ["says", "providers", "code", "digits", "continue", "give-up"]
  .map((id) => document.getElementById(id));

/** Who uses the page, until it is closed. In a real app your API knows that, by its own session. */
let user = null;
/** How the last login ended. */
let ending = "";

switchback.subscribe((state) => {
  if (state?.code === "finished") finish(state.login);
  const isBusy = state !== null && !state.isFinal;
  // A state with a message is about another window.
  const isOpen = isBusy && state.message === null;
  const action = state?.login?.next.action;
  says.textContent = textOf(state);
  providers.hidden = isBusy;
  // The page of the login shows six digits when the link back does not work.
  code.hidden = !isOpen || !["enter_code", "show_browser"].includes(action);
  goOn.hidden = !isOpen || !(state.code === "paused" || action === "enter_code");
  giveUp.hidden = !isOpen;
});

function textOf(state) {
  switch (state?.code) {
    case undefined: return ending || "You are not logged in.";
    case "paused": return "Your login is not finished.";
    case "wrong_code": return `These digits are wrong. You may try ${state.triesLeft} more times.`;
    case "retrying": return "The server does not respond. We try again.";
    case "finished": return ending;
    // Another tab has finished it, or it was forgotten long ago.
    case "failed": return state.error.code === "gone" ? "This login is over."
      : `The login is lost (${state.error.code}). Your number for support: ${state.error.reference}`;
    default: return state.message ?? "One moment …";
  }
}

function reasonOf(reason) {
  if (reason?.code === "user_cancelled" || reason?.code === "app_cancelled") return "You have cancelled the login.";
  return reason?.isRetryable ? "That did not work. Please try again." : "That did not work.";
}

async function finish(login) {
  // Your API gets `login.assertion` here, and begins its own session. When it has it, the server may delete the result.
  user = login.identity;
  ending = user ? `Welcome, ${user.name}` : reasonOf(login.reason);
  await switchback.acknowledge();
}

function logIn(provider) {
  switchback.logIn({ provider }).catch((error) => {
    // A provider that is switched off has words for the user.
    says.textContent = error.problem?.notice ?? `The login cannot begin (${error.code}).`;
  });
}

code.addEventListener("submit", (event) => {
  event.preventDefault();
  switchback.enterCode(digits.value);
});
goOn.addEventListener("click", () => switchback.continueLogin());
giveUp.addEventListener("click", () => switchback.cancel());

// First, because the address bar may have the link back.
switchback.resume();
for (const provider of await switchback.providers()) {
  const button = document.createElement("button");
  button.type = "button";
  button.id = provider.id;
  // The operator may have switched it off for a while, with words for the user.
  button.disabled = !provider.isEnabled;
  button.textContent = [provider.name, provider.notice].filter((one) => one).join(": ");
  button.addEventListener("click", () => logIn(provider.id));
  providers.append(button);
}
