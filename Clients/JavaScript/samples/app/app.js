// A single-page app: one client for the page, and views that come and go while a login goes on.

import { createSwitchback } from "/switchback/index.js";
import { accountView } from "/account.js";
import { shopView } from "/shop.js";

export const switchback = createSwitchback({ server: "http://127.0.0.1:8080", app: "demo" });

/** Who uses the page, until it is closed. In a real app your API knows that, by its own session. */
export const account = { user: null, ending: "", changed: new Set() };

switchback.subscribe(async (state) => {
  if (state?.code !== "finished") return;
  const { identity, reason } = state.login;
  account.user = identity;
  account.ending = identity ? "" : `The login did not end well (${reason?.code}).`;
  // Your API gets `state.login.assertion` here.
  for (const reader of account.changed) reader();
  await switchback.acknowledge();
});

const views = { "/": shopView, "/account": accountView };
let leave = () => {};

/** Shows the view of a path. A view returns what it must undo when the user leaves it. */
export function show(path) {
  leave();
  if (path !== location.pathname) history.pushState(null, "", path);
  const view = document.getElementById("view");
  view.replaceChildren();
  leave = (views[path] ?? shopView)(view);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link) return;
  event.preventDefault();
  show(link.getAttribute("href"));
});
addEventListener("popstate", () => show(location.pathname));

// The link back comes to whatever path is in `return_prefixes`. The library takes it out of the address bar.
const resumed = switchback.resume();
// A login that is under way belongs to the account.
show(await resumed ? "/account" : location.pathname);
