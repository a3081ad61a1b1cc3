// Filled on the page of the session only.
const { app: APP, server: SERVER, api: API, login: LOGIN } = document.getElementById("own")?.dataset ?? {};
const nonces = new Map();

// Sends a request with a proof of `key`. A refused nonce costs one more request: the refusal brings a new one.
const send = async (to, method, path, { key, token, session, secret, form, json, via } = {}) => {
  for (let count = 0; ; count += 1) {
    const [headers, body] = [{}, form ? new URLSearchParams(form) : json && JSON.stringify(json)];
    if (key) {
      headers.DPoP = await makeProof(key, method, to + path, { nonce: nonces.get(to), token, session, secret });
    }
    if (token) headers.Authorization = `DPoP ${token}`;
    if (json) headers["Content-Type"] = "application/json";
    const answer = await fetch(via ?? (to === API ? "/api" : "/server") + path, {
      method, headers, body, cache: "no-store", credentials: "same-origin" });
    if (answer.headers.has("DPoP-Nonce")) nonces.set(to, answer.headers.get("DPoP-Nonce"));
    const words = await answer.text();
    const members = words ? JSON.parse(words) : {};
    const code = members.error ?? members.code;
    report(method, (to === API ? "the API’s " : "") + path, answer.status, code, headers.DPoP);
    if (count < 2 && (code === "use_dpop_nonce" || code === "dpop_nonce_required")) continue;
    return { status: answer.status, code, members, challenge: answer.headers.get("WWW-Authenticate") ?? "" };
  }
};

const begin = (phone) => send(SERVER, "POST", "/v1/sessions", { key: phone.key, via: LOGIN + "/session" });

// With the PIN's secret this is the unlock.
const renew = (phone, { key = phone.key, secret } = {}) => send(SERVER, "POST", "/oauth/token", {
  key, secret, session: phone.session.id,
  form: { grant_type: "refresh_token", client_id: APP, refresh_token: phone.session.refreshToken } });

// A real app keeps the new secret before this request, so that a lost response costs nothing.
const setPIN = (phone, token, secret, old) =>
  send(SERVER, "PUT", `/v1/sessions/${phone.session.id}/pin`, {
    key: phone.key, token, session: phone.session.id, secret: old, json: { pin_secret: encode(secret) } });

const list = (phone, token, key = phone.key) => send(SERVER, "GET", "/v1/sessions", { key, token });
const end = (phone, token, id) => send(SERVER, "DELETE", `/v1/sessions/${id}`, { key: phone.key, token });
const revoke = (phone) =>
  send(SERVER, "POST", "/oauth/revoke", { form: { token: phone.session.refreshToken } });

const readAccount = (phone, token, key = phone.key) => send(API, "GET", "/account", { key, token });
const pay = (phone, token) =>
  send(API, "POST", "/payments", { key: phone.key, token, json: { amount: "12.50" } });
