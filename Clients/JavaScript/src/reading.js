// What comes from the server. Nothing in it is trusted: what is missing or has another type has a harmless value.

/** @typedef {{ status: number, headers: Record<string, string>, body: string }} Response names in lower case */

/** @param {unknown} value @returns {any} */
const members = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
/** @param {unknown} value */
const text = (value) => (typeof value === "string" ? value : null);
/** @param {unknown} value */
const textOrEmpty = (value) => text(value) ?? "";
/** @param {unknown} value @returns {number | null} */
const whole = (value) => (Number.isSafeInteger(value) ? /** @type {number} */ (value) : null);
/** @param {unknown} value @returns {string[]} */
const texts = (value) => (Array.isArray(value) ? value.filter((one) => text(one) !== null) : []);
/** @param {unknown} value @param {number} usual @param {number} least @param {number} most */
const between = (value, usual, least, most) => Math.min(Math.max(whole(value) ?? usual, least), most);
/** @param {unknown} value */
const positive = (value) => between(value, 0, 0, Infinity);

/** A link that can be opened, and runs no script in this page.
 * @param {unknown} value */
const link = (value) => {
  try {
    return /^(javascript|data|blob|vbscript):/.test(new URL(textOrEmpty(value)).protocol) ? null : text(value);
  } catch {
    return null;
  }
};

/** @param {unknown} value */
const surfaces = (value) => texts(value).filter((one) => /^(auth_session|tab|system)$/.test(one));

const launch = {
  url: link, surfaces, callback: text, callback_scheme: text, ephemeral: (/** @type {unknown} */ value) => value === true,
  android_packages: texts, universal_link: link, custom_scheme: link, android_package: text, store_url: link,
  fallback: link, expires_in: (/** @type {unknown} */ value) => (whole(value) === null ? null : positive(value)),
};

/** Reads what a browser or an app is opened with. What is empty is left out.
 * @param {unknown} json @returns {Omit<import("../index.js").NextAction, "action">} */
const readLaunch = (json) => {
  const found = Object.entries(launch).map(([name, value]) => [name, value(members(json)[name])]);
  return Object.fromEntries(found.filter(([, value]) =>
    value !== null && value !== false && !(Array.isArray(value) && !value.length)));
};

/** @param {string} body @returns {any} */
const parsed = (body) => {
  try {
    return members(JSON.parse(body));
  } catch {
    return {};
  }
};

/** The link that is opened. The same one means the same thing to open.
 * @param {import("../index.js").NextAction} next */
export const opens = (next) => (next.action === "open_app"
  ? next.universal_link ?? next.custom_scheme ?? next.android_package ?? next.store_url ?? next.fallback : next.url) ?? "";

/** @param {unknown} json @returns {import("../index.js").NextAction} */
const readNext = (json) => {
  const action = textOrEmpty(members(json).action);
  if (/^(show_browser|enter_code)$/.test(action)) return { action };
  const next = { action, ...readLaunch(json) };
  return /^(open_browser|resume_browser|open_app)$/.test(action) && opens(next) ? next : { action: "wait" };
};

/** Reads the body of a response; null when it is not from Switchback.
 * @param {string} body @param {number} now @returns {import("../index.js").Login | null} */
export const readLogin = (body, now) => {
  const json = parsed(body);
  const { id, status: word, final, poll, reason, identity, registration } = json;
  if (text(word) === null || !/^[\w-]{1,64}$/.test(textOrEmpty(id))) return null;
  const known = /^(completed|failed|cancelled|expired)$/.test(word);
  const isKnown = known || /^(pending|exchanging|awaiting_return)$/.test(word);
  const isFinal = final === true || (final !== false && known);
  const status = isKnown && known === isFinal ? word : isFinal ? "failed" : "pending";
  const isCompleted = status === "completed";
  const next = isFinal ? { action: "wait" } : readNext(json.next);
  const page = readLaunch(json.next);
  const number = members(identity).national_id;
  return {
    id, status, final: isFinal, next, version: whole(json.version) ?? 0, app: textOrEmpty(json.app),
    provider: textOrEmpty(json.provider), reference: textOrEmpty(json.reference),
    expiresAt: now + positive(json.expires_in) * 1000,
    // An empty prefix would match every link.
    return_prefixes: texts(json.return_prefixes).filter((prefix) => prefix),
    poll: {
      wait: between(poll?.wait, 25, 0, 60), interval: between(poll?.interval, 2, 1, 60),
      after_ms: between(poll?.after_ms, 0, 0, 60_000),
    },
    page: /^(show|enter)/.test(next.action) && page.url ? page : null,
    isNextUnreadable: !isFinal && next.action === "wait" && /^(open|resume)_/.test(textOrEmpty(json.next?.action)),
    identity: isCompleted && text(identity?.subject) !== null ? {
      provider: "", eid: "",
      ...Object.fromEntries(Object.entries(identity).filter(([, value]) => text(value) !== null)),
      subject: identity.subject,
      assurance: /^(low|substantial|high)$/.test(textOrEmpty(identity.assurance)) ? identity.assurance : "none",
      national_id: text(number?.type) && text(number.value) ? number : null,
      claims: members(identity.claims),
    } : null,
    assertion: isCompleted ? text(json.assertion) : null,
    registration: isCompleted && members(registration) === registration ? registration : null,
    proof: text(json.proof), hint: isFinal ? null : text(json.hint),
    reason: text(reason?.code) === null ? null : { code: reason.code, retryable: reason.retryable === true },
  };
};

/** Reads a problem of Switchback's (RFC 9457). An error page of a proxy is none.
 * @param {Response} response @returns {import("../index.js").Problem | null} */
export const readProblem = ({ status, headers, body }) => {
  const { code, detail, member, tries_left, request_id } = parsed(body);
  return !/^application\/problem\+json/i.test(headers["content-type"] ?? "") || text(code) === null ? null : {
    status, code, detail: textOrEmpty(detail), member: text(member), tries_left: whole(tries_left),
    request_id: text(request_id),
  };
};

/** Reads the list of the login buttons, with their names in the first of these languages; null if it is no list.
 * @param {string} body @param {readonly string[]} languages @returns {import("../index.js").Provider[] | null} */
export const readProviders = (body, languages) => {
  const list = parsed(body).providers;
  /** Looks for each language with all its subtags, then without the last one, and so on (RFC 4647 §3.4).
   * @param {object} names */
  const nameIn = (names) => {
    const lower = Object.fromEntries(Object.entries(names).map(([tag, name]) => [tag.toLowerCase(), name]));
    for (const language of languages) {
      let tag = language.toLowerCase().replace(/_/g, "-").replace(/^no\b/, "nb");
      for (; tag; tag = tag.replace(/-?[^-]*$/, "")) if (text(lower[tag])) return lower[tag];
    }
    return null;
  };
  return !Array.isArray(list) ? null : list.map(members).filter((json) => text(json.id)).map((json) => ({
    id: json.id, name: nameIn(members(json.names)) ?? text(json.name) ?? json.id, logo: link(json.logo),
    eid: textOrEmpty(json.eid), countries: texts(json.countries), surfaces: surfaces(json.surfaces),
  }));
};
