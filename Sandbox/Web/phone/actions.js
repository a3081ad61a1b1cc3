const actions = {
  async begin() {
    const answer = await begin(phone);
    if (answer.status !== 200) return complain(answer);
    await take(answer);
    await keep(phone);
    isBegun = true;
    // The app has stored the session, so it deletes the login.
    await fetch(LOGIN, { method: "POST", body: new URLSearchParams({ press: "done" }) });
    one("pin-fold").open = !phone.pin;
    history.replaceState(null, "", "/session");
    say({
      access: "One access token, and no session: the provider, the e-ID or the proof allows no more.",
      refresh: "The session has begun.",
      unlock: phone.pin ? "The session goes on, with its PIN." : "The session has begun. Set a PIN now.",
    }[phone.session.level]);
  },
  async renew() {
    const answer = await renew(phone);
    if (answer.status !== 200) return complain(answer);
    await take(answer);
    say("The phone's key got a new access token.");
  },
  async lock() {
    token = null;
    say("Locked: the app has forgotten its access token.");
  },
  async unlock({ pin }) {
    const answer = await tryPIN(pin);
    if (answer.status !== 200) return complain(answer);
    say("Unlocked with the PIN.");
  },
  async pin({ pin, old }) {
    const secret = random(32);
    const hidden = await hideSecret(phone, secret, pin);
    const answer = await setPIN(phone, token, secret, old && phone.pin ? await findSecret(phone, old) : null);
    if (answer.status !== 204) return complain(answer);
    say(phone.pin ? "The PIN is changed: a new secret, and a new salt." : "The PIN is set.");
    phone.pin = hidden;
  },
  async account() {
    const answer = await readAccount(phone, token);
    if (answer.status !== 200) return complain(answer);
    say(`The API knows you: ${answer.members.account.slice(0, 8)}…`);
  },
  async pay() {
    const answer = await pay(phone, token);
    if (answer.status === 200) return say(`The API has paid ${answer.members.paid}.`);
    if (answer.code !== "insufficient_user_authentication") return complain(answer);
    const [, values] = answer.challenge.match(/acr_values="([^"]*)"/) ?? [];
    const [, age] = answer.challenge.match(/max_age="([^"]*)"/) ?? [];
    isLoginNeeded = true;
    say(`The API wants ${values} from the last ${age} seconds. Log in with the e-ID again.`, true);
  },
  // The thieves.
  async token() {
    const key = await makeKey();
    const answers = [await list(phone, token, key)];
    if (API) answers.push(await readAccount(phone, token, key));
    const refusals = answers.filter(({ code }) => code !== "unreachable");
    const words = refusals.map(({ status, code }) => `${status} ${code ?? ""}`).join(", ");
    const isRefused = refusals.every(({ status }) => status === 401);
    if (!isRefused) return say(`A stolen access token is worth something: ${words}`, true);
    say(`The stolen access token is worth nothing without this phone's key: ${words}`);
  },
  async refresh() {
    const answer = await renew(phone, { key: await makeKey() });
    if (answer.status !== 400) return say(`A stolen refresh token is worth something: ${answer.status}`, true);
    say(`The stolen refresh token is worth nothing without this phone's key: ${answer.status} ${answer.code}`);
  },
  async storage() {
    const found = [];
    for (const pin of ["000000", "123456", "654321"]) found.push([pin, encode(await findSecret(phone, pin))]);
    one("loot").replaceChildren(...found.flatMap(([pin, secret]) => [make("dt", pin), make("dd", secret)]));
    say("Every PIN finds 32 bytes, and nothing says which are right. Only the server can, and it counts.");
  },
  async guess() {
    for (;;) {
      const pin = String(crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000).padStart(6, "0");
      const answer = await tryPIN(pin);
      if (answer.status === 200) return say(`The thief guessed ${pin}: one chance in a million.`, true);
      complain(answer);
      if (answer.code !== "wrong_pin" || answer.members.tries_left === 0) break;
    }
    if (isLoginNeeded) {
      say("The thief has used up the tries, and the server has destroyed the PIN's secret. The PIN is worth "
        + "nothing now, to the thief and to you. Log in with the e-ID.", true);
    }
  },
  // The phones of this person.
  list: listPhones,
  async end({ session }) {
    const answer = await end(phone, token, session);
    if (answer.status !== 204) return complain(answer);
    await listPhones();
    say("That phone is signed out.");
  },
  async everywhere() {
    const sessions = await listPhones();
    if (!sessions) return;
    // Its own last: it ends the others.
    for (const { id } of sessions.sort((one, other) => one.current - other.current)) {
      const answer = await end(phone, token, id);
      if (answer.status !== 204) return complain(answer);
    }
    forget();
    say("All phones of this person are signed out.");
  },
  // This phone.
  async leave() {
    if (phone.session.refreshToken) {
      const answer = await revoke(phone);
      if (answer.status !== 200) return complain(answer);
    }
    forget();
    say("This phone is signed out.");
  },
  async fresh() {
    forget();
    phone = await makePhone();
    say("A new phone with a new key. The server still has the old phone's session, until it ends or is ended.");
  },
};

const press = async (name, fields = {}) => {
  const main = document.querySelector("main");
  if (main.getAttribute("aria-busy")) return;
  main.setAttribute("aria-busy", "true");
  say("One moment…");
  try {
    await actions[name](fields);
    await keep(phone);
  } catch (failure) {
    console.warn(failure);
    say("That did not work. Press again: every step can be repeated.", true);
  }
  show();
  main.removeAttribute("aria-busy");
};

const startSessionPage = () => {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button[data-press]");
    if (button) press(button.dataset.press, button.dataset);
  });
  document.addEventListener("submit", (event) => {
    if (!event.target.dataset.press) return;
    event.preventDefault();
    press(event.target.dataset.press, Object.fromEntries(new FormData(event.target)));
    event.target.reset();
  });
  show();
};

const start = async () => {
  const excuse = one("no-script");
  if (!crypto.subtle) {
    excuse.textContent = "Sessions need WebCrypto, which browsers have only for https and localhost.";
    return;
  }
  excuse.hidden = true;
  const main = document.querySelector("main");
  main.setAttribute("aria-busy", "true");
  phone = await loadPhone();
  for (const input of document.querySelectorAll("input[name=jkt]")) input.value = phone.key.thumbprint;
  if (APP) startSessionPage();
  else if (phone.session) one("known").hidden = false;
  main.removeAttribute("aria-busy");
};

// Whoever presses before the key is there is not refused: the form is sent when it is. If no key can be made, the
// server says what is missing.
let isStarted = false;
let pressedForm = null;
const started = start().catch(console.warn).then(() => { isStarted = true; });
document.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  const field = target.querySelector("input[name=jkt]");
  if (isStarted || !field || target.elements.app.value !== field.dataset.app) return;
  event.preventDefault();
  const isFirst = pressedForm === null;
  pressedForm = { target, submitter };
  if (!isFirst) return;
  await started;
  pressedForm.target.requestSubmit(pressedForm.submitter);
});
