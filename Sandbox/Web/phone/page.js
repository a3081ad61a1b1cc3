const MEANINGS = {
  invalid_grant: "The server knows no such session for this key. It has ended.",
  pin_required: "The idle time has passed, so the server wants the PIN.",
  insufficient_user_authentication: "The PIN is locked, or none was set in time. Log in with the e-ID again.",
  session_not_allowed: "This login may not become a session.",
  session_key_in_use: "This phone's key belongs to another person. Become a new phone, and log in again.",
  session_ended: "The session has ended after this login. Log in again.",
  session_unknown: "There is no such session any more.",
  access_token_invalid: "The access token has ended, or it belongs to another key. Renew it.",
  invalid_token: "The access token has ended, or it belongs to another key. Renew it.",
  pin_too_late: "The e-ID login is older than 15 minutes, so the server wants the old PIN.",
  unreachable: "There is no response. Is it running?",
};
const one = (id) => document.getElementById(id);
const make = (name, words, ...children) => {
  const made = document.createElement(name);
  if (words) made.textContent = words;
  made.append(...children);
  return made;
};
const terms = (pairs) => pairs.flatMap(([name, value]) => [make("dt", name), make("dd", value)]);
const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString();

let phone;
// Only in memory, as in an app: it is gone when the page is.
let token = null;
let isLoginNeeded = false;
let isBegun = !LOGIN;

const say = (words, isBad = false) => {
  one("said").textContent = words;
  one("said").classList.toggle("bad", isBad);
};
const complain = (answer) => {
  const left = answer.members.tries_left;
  const tries = left === 1 ? "1 try" : `${left} tries`;
  if (answer.code === "wrong_pin" && left > 0) say(`Wrong PIN. ${tries} left.`, true);
  else if (answer.code === "wrong_pin") say("Wrong PIN, and no tries left. Log in with the e-ID again.", true);
  else say(MEANINGS[answer.code] ?? `The answer is ${answer.status} ${answer.code ?? ""}`, true);
  if (answer.code === "insufficient_user_authentication" || left === 0) [isLoginNeeded, token] = [true, null];
  if (answer.code === "pin_required") token = null;
  if (answer.code === "invalid_grant" || answer.code === "session_ended") forget();
};

// The last ten requests, with what their proofs signed.
const report = (method, path, status, code, proof) => {
  const entry = make("li", null, make("code", `${method} ${path}`), ` ${status} ${code ?? ""}`);
  if (proof) entry.append(make("pre", JSON.stringify(claimsOf(proof), null, 1)));
  one("sent").prepend(entry);
  while (one("sent").children.length > 10) one("sent").lastChild.remove();
};

const forget = () => {
  [phone.session, phone.pin, token, isLoginNeeded] = [null, null, null, false];
};
const take = async ({ members }) => {
  token = members.access_token;
  isLoginNeeded = false;
  phone.session = {
    ...phone.session, id: members.session_id, refreshToken: members.refresh_token,
    provider: claimsOf(token).login.provider,
    level: members.refresh_token ? (members.pin === undefined ? "refresh" : "unlock") : "access" };
  if (!members.pin) phone.pin = null;
};

// What the page shows.
const facts = () => {
  const { session } = phone;
  const found = [["Level", session.level], ["Session", session.id], ["Key", phone.key.thumbprint]];
  if (!token) return [...found, ["Access token", "none: renew it"]];
  const claims = claimsOf(token);
  const isPIN = claims.acr === "urn:switchback:unlock";
  const at = claims.auth_time ? ` at ${clock(claims.auth_time)}` : "";
  return [
    ["Access token", `until ${clock(claims.exp)}`],
    ["Authenticated", (isPIN ? "with the PIN" : "with the e-ID") + at], ["acr", claims.acr ?? "none"],
    ["e-ID login", `${claims.login.provider}, ${claims.login.proof}`], ...found];
};
const show = () => {
  const { session, pin } = phone;
  const isLocked = Boolean(session && !token && pin && !isLoginNeeded);
  const isOpen = Boolean(session && !isLocked && (token || session.refreshToken) && !(isLoginNeeded && !token));
  const isUnlock = session?.level === "unlock";
  const parts = {
    start: !isBegun, none: !session && isBegun, locked: isLocked, open: isOpen,
    again: session && (isLoginNeeded || !isOpen && !isLocked),
    renewing: session?.refreshToken, locking: pin, "pin-part": isUnlock && token, "old-pin": pin,
    "api-part": API && token, thieves: token, "thief-refresh": session?.refreshToken, "thief-pin": pin,
    phones: token && session.refreshToken, "this-phone": session || !isBegun,
  };
  for (const [id, isShown] of Object.entries(parts)) one(id).hidden = !isShown;
  // Its button is far above the one that was pressed.
  if (parts.again) one("again").scrollIntoView({ block: "nearest" });
  if (isOpen) one("facts").replaceChildren(...terms(facts()));
  one("claims").textContent = token ? JSON.stringify(claimsOf(token), null, 1) : "";
  if (session) one("again-provider").value = session.provider;
  // The focus never stays on what has gone.
  if (!document.activeElement?.checkVisibility()) one("top").focus({ preventScroll: true });
};

const tryPIN = async (pin) => {
  const answer = await renew(phone, { secret: await findSecret(phone, pin) });
  if (answer.status === 200) await take(answer);
  return answer;
};
const listPhones = async () => {
  const answer = await list(phone, token);
  if (answer.status !== 200) return complain(answer);
  const { sessions } = answer.members;
  one("list").replaceChildren(...sessions.map((known) => {
    const since = new Date(known.created_at).toLocaleString();
    const entry = make(
      "li", `${known.platform}, ${known.provider}, since ${since}${known.current ? " (this phone)" : ""}`);
    if (known.current) return entry;
    const button = make("button", "End it");
    [button.dataset.press, button.dataset.session] = ["end", known.id];
    entry.append(button);
    return entry;
  }));
  say(sessions.length === 1 ? "One phone has a session." : `${sessions.length} phones have a session.`);
  return sessions;
};
