/** The view with the login. It may go away at any time: the login goes on, and a later view shows where it is. */

import { account, switchback } from "/app.js";

export function accountView(view) {
  const says = Object.assign(document.createElement("p"), { id: "says" });
  const code = codeForm();
  const logIn = button("log-in", "Log in with MitID", () => switchback.logIn({ provider: "mitid" })
    .catch((error) => { says.textContent = error.problem?.notice ?? `The login cannot begin (${error.code}).`; }));
  const goOn = button("continue", "Continue", () => switchback.continueLogin());
  const giveUp = button("give-up", "Give up", () => switchback.cancel());
  view.append(says, code, logIn, goOn, giveUp);
  // The buttons stay: a press is lost if its button is replaced before the user lets go.
  return switchback.subscribe((state) => {
    says.textContent = account.user ? `Welcome, ${account.user.name}` : textOf(state);
    const action = state?.login?.next.action;
    // A state with a message is about another window.
    const isOpen = !!state && !state.isFinal && !state.message;
    // The page of the login shows six digits when the link back does not work.
    code.hidden = !isOpen || !["enter_code", "show_browser"].includes(action);
    goOn.hidden = !isOpen || !(state.code === "paused" || action === "enter_code");
    giveUp.hidden = !isOpen;
    logIn.hidden = !!state && !(state.isFinal && !state.message) || !!account.user;
  });
}

function button(id, text, press) {
  const made = Object.assign(document.createElement("button"), { id, type: "button", textContent: text });
  made.addEventListener("click", press);
  return made;
}

function codeForm() {
  const form = Object.assign(document.createElement("form"), { id: "code" });
  const label = Object.assign(document.createElement("label"), { textContent: "The six digits of the page " });
  const digits = Object.assign(document.createElement("input"), { id: "digits", inputMode: "numeric", required: true });
  label.append(digits);
  form.append(label, Object.assign(document.createElement("button"), { textContent: "Send" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    switchback.enterCode(digits.value);
  });
  return form;
}

function textOf(state) {
  switch (state?.code) {
    case undefined: case "finished": return account.ending || "You are not logged in.";
    case "wrong_code": return "These digits are wrong.";
    case "failed": return state.error.code === "gone" ? "This login is over." : `It is lost (${state.error.code}).`;
    case "paused": return "Your login is not finished.";
    default: return state.message ?? "One moment …";
  }
}
