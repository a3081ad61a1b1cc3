// What comes from the server. Nothing in it is trusted: what is missing or has another type has a harmless value.

/** @typedef {{ status: number, headers: Record<string, string>, body: string }} Response names in lower case */

/** @param {unknown} value @returns {any} */
export const members = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
/** @param {unknown} value */
export const text = (value) => (typeof value === "string" ? value : null);
/** @param {unknown} value */
export const textOrEmpty = (value) => text(value) ?? "";
/** @param {unknown} value @returns {number | null} */
const whole = (value) => (Number.isSafeInteger(value) ? /** @type {number} */ (value) : null);
/** @param {unknown} value @returns {string[]} */
export const texts = (value) => (Array.isArray(value) ? value.filter((one) => text(one) !== null) : []);
/** @param {unknown} value @param {number} usual @param {number} least @param {number} most */
const between = (value, usual, least, most) => Math.min(Math.max(whole(value) ?? usual, least), most);
/** @param {unknown} value */
const positive = (value) => between(value, 0, 0, Infinity);

/** A link that can be opened, and runs no script in this page.
 * @param {unknown} value */
export const link = (value) => {
  try {
    return /^(javascript|data|blob|vbscript):/.test(new URL(textOrEmpty(value)).protocol) ? null : text(value);
  } catch {
    return null;
  }
};

/** What is opened. A page opens it in its own window, so it passes on nothing about other ones.
 * @param {unknown} json @returns {Omit<import("../index.js").NextAction, "action">} */
const readLaunch = (json) => {
  /** @type {Record<string, unknown>} */
  const launch = {};
  for (const name of ["url", "universal_link", "custom_scheme", "fallback", "store_url"]) {
    const found = link(members(json)[name]);
    if (found) launch[name] = found;
  }
  const seconds = whole(members(json).expires_in);
  if (seconds !== null) launch.expires_in = Math.max(seconds, 0);
  return launch;
};

/** @param {string} body @returns {any} */
export const parsed = (body) => {
  try {
    return members(JSON.parse(body));
  } catch {
    return {};
  }
};

/** The link that is opened. The same one means the same thing to open.
 * @param {Partial<import("../index.js").NextAction>} next */
export const opens = ({ url, universal_link, custom_scheme, fallback, store_url }) =>
  url ?? universal_link ?? custom_scheme ?? fallback ?? store_url;

/** @param {unknown} json @returns {import("../index.js").NextAction} */
const readNext = (json) => {
  const action = textOrEmpty(members(json).action);
  if (/^(show_browser|enter_code)$/.test(action)) return { action };
  const { url, expires_in, ...app } = readLaunch(json);
  if (/^(open|resume)_browser$/.test(action) && url) return { action, url };
  if (expires_in !== undefined) Object.assign(app, { expires_in });
  return action === "open_app" && opens(app) ? { action, ...app } : { action: "wait" };
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
