/** The view with the login. It may go away at any time: the login goes on, and a later view shows where it is. */

import { account, switchback } from "/app.js";

export function accountView(view) {
  const says = document.createElement("p");
  says.id = "says";
  const buttons = document.createElement("div");
  view.append(says, buttons);
  const addButton = (id, text, press) => {
    const button = Object.assign(document.createElement("button"), { id, type: "button", textContent: text });
    button.addEventListener("click", press);
    buttons.append(button);
  };
  return switchback.subscribe((state) => {
    buttons.replaceChildren();
    says.textContent = account.user ? `Welcome, ${account.user.name}` : state?.message ?? textOf(state);
    if (state && !state.isFinal) {
      if (state.code === "paused") addButton("continue", "Continue", () => switchback.continueLogin());
      addButton("give-up", "Give up", () => switchback.cancel());
    } else if (!account.user) {
      addButton("log-in", "Log in with MitID", () => switchback.logIn({ provider: "mitid" })
        .catch((error) => { says.textContent = `The login cannot begin (${error.code}).`; }));
    }
  });
}

function textOf(state) {
  if (!state) return "You are not logged in.";
  if (state.code === "failed") return `The login is lost (${state.error.code}).`;
  if (state.isFinal) return "You are not logged in: the login did not end well.";
  return state.code === "paused" ? "Your login is not finished." : "One moment …";
}
