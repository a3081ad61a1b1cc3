/** A view that knows nothing of logins, but has the user's name. */

import { account } from "/app.js";

export function shopView(view) {
  const text = document.createElement("p");
  const say = () => { text.textContent = account.user ? `Hello, ${account.user.name}` : "Hello, stranger"; };
  view.append(text);
  account.changed.add(say);
  say();
  return () => account.changed.delete(say);
}
