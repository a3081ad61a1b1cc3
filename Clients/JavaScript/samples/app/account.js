/** The view with the login. It may go away at any time: the login goes on, and a later view shows where it is. */

import { account, switchback } from "/app.js";

export function accountView(view) {
  const says = Object.assign(document.createElement("p"), { id: "says" });
  const actions = document.createElement("div");
  view.append(says, actions);
  const addButton = (id, text, press) => {
    const button = Object.assign(document.createElement("button"), { id, type: "button", textContent: text });
    button.addEventListener("click", press);
    actions.append(button);
  };
  return switchback.subscribe((state) => {
    actions.replaceChildren();
    says.textContent = account.user ? `Welcome, ${account.user.name}` : textOf(state);
    // A state with a message is about another window.
    if (state?.message) return;
    if (state && !state.isFinal) {
      const action = state.login?.next.action;
      // The page of the login shows six digits when the link back does not work.
      if (action === "enter_code" || action === "show_browser") actions.append(codeForm());
      if (state.code === "paused" || action === "enter_code") {
        addButton("continue", "Continue", () => switchback.continueLogin());
      }
      addButton("give-up", "Give up", () => switchback.cancel());
    } else if (!account.user) {
      addButton("log-in", "Log in with MitID", () => switchback.logIn({ provider: "mitid" })
        .catch((error) => { says.textContent = `The login cannot begin (${error.code}).`; }));
    }
  });
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
