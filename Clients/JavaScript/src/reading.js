// What comes from the server. Nothing in it is trusted: what is missing or has another type has a harmless value.

/** @typedef {{ status?: number, headers: Record<string, string>, body: string }} Response names in lower case */

/** What the action returns; undefined if it throws.
 * @template Result @param {() => Result} action @returns {Result | undefined} */
export const attempt = (action) => {
  try {
    return action();
  } catch {
    return undefined;
  }
};

/** @param {unknown} value @returns {any} */
export const members = (value) => (/^{/.test(JSON.stringify(value)) ? value : {});
/** @param {unknown} value */
export const text = (value) => (typeof value === "string" ? value : null);
/** @param {unknown} value */
export const textOrEmpty = (value) => text(value) ?? "";
/** @param {unknown} value @returns {number | null} */
const whole = (value) => (Number.isSafeInteger(value) ? Math.max(/** @type {number} */ (value), 0) : null);
/** @param {unknown} value */
const wholeOrZero = (value) => whole(value) ?? 0;
/** The texts of a list that are not empty.
 * @param {unknown} value @returns {string[]} */
export const texts = (value) => (Array.isArray(value) ? value.filter(text) : []);
/** @param {unknown} value @param {number} usual @param {number} most */
const upTo = (value, usual, most) => Math.min(whole(value) ?? usual, most);

/** The members that are named, each as its reader returns it.
 * @template {Record<string, (value: unknown) => unknown>} Readers @param {any} json @param {Readers} readers
 * @returns {{ [Name in keyof Readers]: ReturnType<Readers[Name]> }} */
const read = (json, readers) => /** @type {any} */ (
  Object.fromEntries(Object.entries(readers).map(([name, reader]) => [name, reader(json[name])])));

/** A link that can be opened, and runs no script in this page; undefined if it is none.
 * @param {unknown} value @returns {string | undefined} */
export const link = (value) => attempt(() =>
  (/^(javascript|data|blob|vbscript):/.test(new URL(textOrEmpty(value)).protocol) ? undefined : `${value}`));

/** The links of an action. The first one that is there is opened: a page opens it in its own window, so it passes on
 * nothing about other ones. */
/** @type {Record<string, typeof link>} */
const links = { url: link, universal_link: link, custom_scheme: link, fallback: link, store_url: link };

/** The link that is opened. The same one means the same thing to open.
 * @param {Partial<import("../index.js").NextAction>} next @returns {string | undefined} */
export const opens = (next) => Object.keys(links).map((name) => /** @type {any} */ (next)[name]).find((one) => one);

/** The members of a text that is a JSON object; none of any other.
 * @param {string | null | undefined} body @returns {any} */
export const parsed = (body) => members(attempt(() => JSON.parse(/** @type {string} */ (body))));

/** Reads the body of a response; null when it is not from Switchback.
 * @param {string} body @param {number} now @returns {import("../index.js").Login | null} */
export const readLogin = (body, now) => {
  const json = parsed(body);
  const { id, status: word, final, registration } = json;
  if (!text(word) || !/^[\w-]{1,64}$/.test(textOrEmpty(id))) return null;
  const isEnd = /^(completed|failed|cancelled|expired)$/.test(word);
  const isFinal = typeof final === "boolean" ? final : isEnd;
  const status = isFinal ? isEnd ? word : "failed" : /^(exchanging|awaiting_return)$/.test(word) ? word : "pending";
  const isCompleted = status === "completed";
  const there = members(json.next);
  const { url, ...app } = /** @type {any} */ (
    read(there, { ...links, expires_in: (value) => whole(value) ?? undefined }));
  const action = isFinal ? "" : textOrEmpty(there.action);
  const isPage = /^(show_browser|enter_code)$/.test(action);
  const next = isPage ? { action } : /^(open|resume)_browser$/.test(action) && url ? { action, url }
    : action === "open_app" && opens(app) ? { action, ...app } : { action: "wait" };
  const poll = members(json.poll);
  const reason = members(json.reason);
  const identity = members(json.identity);
  const number = members(identity.national_id);
  return {
    ...read(json, {
      version: wholeOrZero, app: textOrEmpty, provider: textOrEmpty, reference: textOrEmpty, proof: text,
      // An empty prefix would match every link.
      return_prefixes: texts,
    }),
    id, status, final: isFinal, next, expiresAt: now + wholeOrZero(json.expires_in) * 1000,
    poll: {
      wait: upTo(poll.wait, 25, 60), interval: upTo(poll.interval, 2, 60) || 1,
      after_ms: upTo(poll.after_ms, 0, 60_000),
    },
    page: isPage && url ? { url, ...app } : null,
    isNextUnreadable: next.action === "wait" && /^(open|resume)_/.test(action),
    identity: isCompleted && text(identity.subject) ? /** @type {any} */ ({
      provider: "", eid: "",
      ...Object.fromEntries(Object.entries(identity).filter(([, value]) => text(value))),
      assurance: /^(low|substantial|high)$/.test(textOrEmpty(identity.assurance)) ? identity.assurance : "none",
      national_id: text(number.type) && text(number.value) ? number : null,
      claims: members(identity.claims),
    }) : null,
    assertion: isCompleted ? text(json.assertion) : null,
    registration: isCompleted && members(registration) === registration ? registration : null,
    hint: isFinal ? null : text(json.hint),
    reason: text(reason.code) ? { code: reason.code, retryable: reason.retryable === true } : null,
  };
};

/** Reads a problem of Switchback's (RFC 9457). An error page of a proxy is none.
 * @param {Response} response @returns {import("../index.js").Problem | null} */
export const readProblem = ({ status, headers, body }) => {
  const problem = read(parsed(body), {
    code: textOrEmpty, detail: textOrEmpty, member: text, request_id: text, notice: text, tries_left: whole,
  });
  return /^application\/problem\+json/i.test(headers["content-type"]) && problem.code
    ? { status: /** @type {number} */ (status), ...problem } : null;
};
