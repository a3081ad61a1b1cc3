// What comes from the server. Nothing in it is trusted: what is missing or has another type has a harmless value.

/** @typedef {{ status: number, headers: Record<string, string>, body: string }} Response names in lower case */

/** @param {unknown} value @returns {any} */
export const members = (value) => (value && typeof value === "object" && !Array.isArray(value) ? value : {});
/** @param {unknown} value */
export const text = (value) => (typeof value === "string" ? value : null);
/** @param {unknown} value */
export const textOrEmpty = (value) => text(value) ?? "";
/** @param {unknown} value @returns {number | null} */
const whole = (value) => (Number.isSafeInteger(value) ? Math.max(/** @type {number} */ (value), 0) : null);
/** The texts of a list that are not empty.
 * @param {unknown} value @returns {string[]} */
export const texts = (value) => (Array.isArray(value) ? value.filter((one) => one && text(one)) : []);
/** @param {unknown} value @param {number} usual @param {number} most */
const upTo = (value, usual, most) => Math.min(whole(value) ?? usual, most);

/** A link that can be opened, and runs no script in this page; undefined if it is none.
 * @param {unknown} value @returns {string | undefined} */
export const link = (value) => {
  try {
    if (!/^(javascript|data|blob|vbscript):/.test(new URL(textOrEmpty(value)).protocol)) return `${value}`;
  } catch {
    // It is no link.
  }
  return undefined;
};

/** The links of an action. The first one that is there is opened: a page opens it in its own window, so it passes on
 * nothing about other ones. */
const links = /** @type {const} */ (["url", "universal_link", "custom_scheme", "fallback", "store_url"]);

/** The link that is opened. The same one means the same thing to open.
 * @param {Partial<import("../index.js").NextAction>} next */
export const opens = (next) => links.map((name) => next[name]).find((one) => one);

/** What is opened.
 * @param {any} json @returns {Omit<import("../index.js").NextAction, "action">} */
const readLaunch = (json) => ({
  ...Object.fromEntries(links.map((name) => [name, link(json[name])])), expires_in: whole(json.expires_in) ?? undefined,
});

/** @param {string} body @returns {any} */
export const parsed = (body) => {
  try {
    return members(JSON.parse(body));
  } catch {
    return {};
  }
};

/** @param {string} action @param {Omit<import("../index.js").NextAction, "action">} launch
 * @returns {import("../index.js").NextAction} */
const readNext = (action, { url, ...app }) => {
  if (/^(show_browser|enter_code)$/.test(action)) return { action };
  if (/^(open|resume)_browser$/.test(action) && url) return { action, url };
  return action === "open_app" && opens(app) ? { action, ...app } : { action: "wait" };
};

/** Reads the body of a response; null when it is not from Switchback.
 * @param {string} body @param {number} now @returns {import("../index.js").Login | null} */
export const readLogin = (body, now) => {
  const json = parsed(body);
  const { id, status: word, final, poll, reason, identity, registration } = json;
  if (!text(word) || !/^[\w-]{1,64}$/.test(textOrEmpty(id))) return null;
  const ends = /^(completed|failed|cancelled|expired)$/;
  const isFinal = final === true || (final !== false && ends.test(word));
  const isKnown = (isFinal ? ends : /^(pending|exchanging|awaiting_return)$/).test(word);
  const status = isKnown ? word : isFinal ? "failed" : "pending";
  const isCompleted = status === "completed";
  const launch = readLaunch(members(json.next));
  const action = isFinal ? "" : textOrEmpty(json.next?.action);
  const next = readNext(action, launch);
  const number = members(identity).national_id;
  return {
    id, status, final: isFinal, next, version: whole(json.version) ?? 0, app: textOrEmpty(json.app),
    provider: textOrEmpty(json.provider), reference: textOrEmpty(json.reference),
    expiresAt: now + (whole(json.expires_in) ?? 0) * 1000,
    // An empty prefix would match every link.
    return_prefixes: texts(json.return_prefixes),
    poll: {
      wait: upTo(poll?.wait, 25, 60), interval: upTo(poll?.interval, 2, 60) || 1,
      after_ms: upTo(poll?.after_ms, 0, 60_000),
    },
    page: /^(show|enter)/.test(next.action) && launch.url ? launch : null,
    isNextUnreadable: next.action === "wait" && /^(open|resume)_/.test(action),
    identity: isCompleted && text(identity?.subject) ? /** @type {any} */ ({
      provider: "", eid: "",
      ...Object.fromEntries(Object.entries(identity).filter(([, value]) => text(value))),
      assurance: /^(low|substantial|high)$/.test(textOrEmpty(identity.assurance)) ? identity.assurance : "none",
      national_id: text(number?.type) && text(number.value) ? number : null,
      claims: members(identity.claims),
    }) : null,
    assertion: isCompleted ? text(json.assertion) : null,
    registration: isCompleted && members(registration) === registration ? registration : null,
    proof: text(json.proof), hint: isFinal ? null : text(json.hint),
    reason: text(reason?.code) ? { code: reason.code, retryable: reason.retryable === true } : null,
  };
};

/** Reads a problem of Switchback's (RFC 9457). An error page of a proxy is none.
 * @param {Response} response @returns {import("../index.js").Problem | null} */
export const readProblem = ({ status, headers, body }) => {
  const { code, detail, member, tries_left, request_id } = parsed(body);
  return /^application\/problem\+json/i.test(headers["content-type"] ?? "") && text(code) ? {
    status, code, detail: textOrEmpty(detail), member: text(member), tries_left: whole(tries_left),
    request_id: text(request_id),
  } : null;
};
