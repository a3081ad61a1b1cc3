"use strict";
const text = new TextEncoder();
const random = (count) => crypto.getRandomValues(new Uint8Array(count));
const xor = (one, other) => one.map((byte, index) => byte ^ other[index]);
// Base64url (RFC 4648 §5), without padding.
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const decode = (word) =>
  Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const sha256 = async (words) => encode(await crypto.subtle.digest("SHA-256", text.encode(words)));
const claimsOf = (token) => JSON.parse(new TextDecoder().decode(decode(token.split(".")[1])));

// What the phone keeps: keys that no script can read, and what belongs to the session.
const inStore = (mode, act) => new Promise((done, fail) => {
  const opening = indexedDB.open("sandbox", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("phones");
  opening.onerror = () => fail(opening.error);
  opening.onsuccess = () => {
    const change = opening.result.transaction("phones", mode);
    const request = act(change.objectStore("phones"));
    change.onabort = () => fail(change.error);
    change.oncomplete = () => {
      opening.result.close();
      done(request.result);
    };
  };
});
const keep = (phone) => inStore("readwrite", (phones) => phones.put(phone, "mine"));

// RFC 7638: the members of the key in the order of the alphabet, without spaces.
const makeKey = async () => {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
  const { crv, kty, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const jwk = { crv, kty, x, y };
  return { signing: pair.privateKey, jwk, thumbprint: await sha256(JSON.stringify(jwk)) };
};
const makePhone = async () => ({
  key: await makeKey(),
  wrapping: await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]),
  session: null, pin: null,
});

// The lock keeps two tabs from making two keys.
const loadPhone = () => navigator.locks.request("sandbox-phone", async () => {
  const known = await inStore("readonly", (phones) => phones.get("mine"));
  if (known) return known;
  const made = await makePhone();
  await keep(made);
  return made;
});

// RFC 9449 §4.2. With a PIN's secret the proof is also the unlock.
const makeProof = async (key, method, url, { nonce, token, session, secret }) => {
  const claims = { jti: encode(random(16)), htm: method, htu: url, iat: Math.floor(Date.now() / 1000), nonce };
  if (token) claims.ath = await sha256(token);
  if (secret) claims.pin_proof = await makePINProof(secret, session, nonce ?? "", claims.jti);
  const header = { typ: "dpop+jwt", alg: "ES256", jwk: key.jwk };
  const input = [header, claims].map((part) => encode(text.encode(JSON.stringify(part)))).join(".");
  const signature = await crypto.subtle.sign(
    { name: "ECDSA", hash: "SHA-256" }, key.signing, text.encode(input));
  return `${input}.${encode(signature)}`;
};
const makePINProof = async (secret, session, nonce, jti) => {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const input = text.encode(`switchback/unlock/1${session}${nonce}${jti}`);
  return encode(await crypto.subtle.sign("HMAC", key, input));
};

// A hidden secret has no length, checksum or sign of success: each PIN finds 32 bytes.
const stretch = async (pin, salt) => {
  const key = await crypto.subtle.importKey("raw", text.encode(pin), "PBKDF2", false, ["deriveBits"]);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations: 600_000 }, key, 256));
};
const hideSecret = async (phone, secret, pin) => {
  const [salt, iv] = [random(16), random(12)];
  const hidden = xor(secret, await stretch(pin, salt));
  return { salt, iv, wrapped: await crypto.subtle.encrypt({ name: "AES-GCM", iv }, phone.wrapping, hidden) };
};
const findSecret = async (phone, pin) => {
  const { salt, iv, wrapped } = phone.pin;
  const hidden = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, phone.wrapping, wrapped);
  return xor(new Uint8Array(hidden), await stretch(pin, salt));
};
