// What comes from the server. Nothing in it is trusted: what is missing or has another type has a harmless value.

/** @typedef {{ status: number, headers: Record<string, string>, body: string }} Response names in lower case */

/** @param {unknown} value @returns {any} */
const members = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
/** @param {unknown} value */
const text = (value) => (typeof value === "string" ? value : null);
/** @param {unknown} value */
const textOrEmpty = (value) => text(value) ?? "";
/** @param {unknown} value */
const flag = (value) => value === true;
/** @param {unknown} value @returns {number | null} */
const whole = (value) => (Number.isSafeInteger(value) ? /** @type {number} */ (value) : null);
/** @param {unknown} value @returns {string[]} */
const texts = (value) => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);
/** @param {unknown} value @param {number} usual @param {number} least @param {number} most */
const between = (value, usual, least, most) => Math.min(Math.max(whole(value) ?? usual, least), most);

/** A link that can be opened, and runs no script in this page.
 * @param {unknown} value */
const link = (value) => {
  try {
    const { protocol } = new URL(/** @type {string} */ (text(value)));
    return /^(javascript|data|blob|vbscript):$/.test(protocol) ? null : text(value);
  } catch {
    return null;
  }
};

/** @param {unknown} value */
const surfaces = (value) => texts(value).filter((one) => /^(auth_session|tab|system)$/.test(one));
const browser = {
  url: link, surfaces, callback: text, callback_scheme: text, ephemeral: flag, android_packages: texts,
};
const app = {
  universal_link: link, custom_scheme: link, android_package: text, store_url: link, fallback: link,
  expires_in: (/** @type {unknown} */ value) => (whole(value) === null ? null : between(value, 0, 0, Infinity)),
};
const identity = {
  subject: text, provider: textOrEmpty, eid: textOrEmpty, country: text, acr: text, authenticated_at: text, name: text,
  given_name: text, family_name: text, birth_date: text, claims: members,
  assurance: (/** @type {unknown} */ value) =>
    (/^(low|substantial|high)$/.test(textOrEmpty(value)) ? text(value) : "none"),
  national_id: (/** @type {any} */ value) =>
    (text(value?.type) && text(value?.value) ? { type: value.type, value: value.value } : null),
};
const registration = { access_token: text, token_type: text, expires_in: whole, scope: text, data: members };

/** Reads these members, and names them as JavaScript does.
 * @param {unknown} json @param {Record<string, (value: unknown) => unknown>} schema @returns {any} */
const read = (json, schema) => Object.fromEntries(Object.entries(schema).map(([name, value]) =>
  [name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()), value(members(json)[name])]));

/** @param {string} body @returns {any} */
export const parsed = (body) => {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
};

/** Whether each status is final. */
const statuses = new Map([
  ["pending", false], ["exchanging", false], ["awaiting_return", false],
  ["completed", true], ["failed", true], ["cancelled", true], ["expired", true],
]);

/** The link that is opened. The same one means the same thing to open.
 * @param {import("../index.js").NextAction} next */
export const opens = (next) => next.url ?? next.universalLink ?? next.customScheme ?? next.androidPackage
  ?? next.storeUrl ?? next.fallback ?? null;

/** @param {any} json @returns {import("../index.js").NextAction} */
const readNext = (json) => {
  const action = textOrEmpty(members(json).action);
  if (/^(show_browser|enter_code)$/.test(action)) return { action };
  const schema = /^(open|resume)_browser$/.test(action) ? browser : action === "open_app" ? app : null;
  const next = schema && { action, ...read(json, schema) };
  return next && (schema === browser ? next.url : opens(next)) ? next : { action: "wait" };
};

/** Reads the body of a response; null when it is not from Switchback.
 * @param {string} body @param {number} now @returns {import("../index.js").Login | null} */
export const readLogin = (body, now) => {
  const json = members(parsed(body));
  const [id, word] = [text(json.id), text(json.status)];
  if (id === null || word === null || !/^[\w-]{1,64}$/.test(id)) return null;
  const known = statuses.get(word);
  const isFinal = typeof json.final === "boolean" ? json.final : known ?? false;
  const status = known === isFinal ? word : isFinal ? "failed" : "pending";
  const isCompleted = status === "completed";
  const next = isFinal ? { action: "wait" } : readNext(json.next);
  const page = read(json.next, browser);
  const code = text(json.reason?.code);
  return {
    id, status, isFinal, next, version: whole(json.version) ?? 0, app: textOrEmpty(json.app),
    provider: textOrEmpty(json.provider), reference: textOrEmpty(json.reference),
    expiresAt: now + between(json.expires_in, 0, 0, Infinity) * 1000,
    // An empty prefix would match every link.
    returnPrefixes: texts(json.return_prefixes).filter((prefix) => prefix),
    poll: {
      wait: between(json.poll?.wait, 25, 0, 60), interval: between(json.poll?.interval, 2, 1, 60),
      afterMs: between(json.poll?.after_ms, 0, 0, 60_000),
    },
    page: /^(show_browser|enter_code)$/.test(next.action) && page.url ? page : null,
    isNextUnreadable: !isFinal && next.action === "wait"
      && /^(open_browser|resume_browser|open_app)$/.test(textOrEmpty(json.next?.action)),
    identity: isCompleted && text(json.identity?.subject) !== null ? read(json.identity, identity) : null,
    assertion: isCompleted ? text(json.assertion) : null,
    registration: isCompleted && members(json.registration) === json.registration
      ? read(json.registration, registration) : null,
    proof: text(json.proof), hint: isFinal ? null : text(json.hint),
    reason: code === null ? null : { code, isRetryable: flag(json.reason.retryable) },
  };
};

/** Reads a problem of Switchback's (RFC 9457). An error page of a proxy is none.
 * @param {Response} response @returns {import("../index.js").Problem | null} */
export const readProblem = ({ status, headers, body }) => {
  if (!/^application\/problem\+json/i.test(headers["content-type"] ?? "")) return null;
  const problem = read(parsed(body), {
    code: text, detail: text, member: text, tries_left: whole, request_id: text,
  });
  return problem.code === null ? null : { ...problem, status, detail: problem.detail ?? "" };
};

/** Reads the list of the login buttons, with their names in the first of these languages; null if it is no list.
 * @param {string} body @param {readonly string[]} languages @returns {import("../index.js").Provider[] | null} */
export const readProviders = (body, languages) => {
  const list = members(parsed(body)).providers;
  if (!Array.isArray(list)) return null;
  return list.map(members).filter((json) => text(json.id)).map((json) => {
    /** @type {Map<string, string>} */
    const names = new Map();
    for (const [language, name] of Object.entries(members(json.names))) {
      if (text(name)) names.set(language.toLowerCase(), name);
    }
    // Each language with all its subtags, then without the last one, and so on (RFC 4647 §3.4).
    const name = languages.flatMap((language) => {
      const tags = language.toLowerCase().replace(/^no\b/, "nb").split(/[-_]/);
      return tags.map((_, index) => names.get(tags.slice(0, tags.length - index).join("-")));
    }).find((one) => one);
    return {
      id: json.id, name: name ?? text(json.name) ?? json.id, logo: link(json.logo), eid: textOrEmpty(json.eid),
      countries: texts(json.countries), surfaces: surfaces(json.surfaces),
    };
  });
};
