// What the reducer of a login knows, takes and gives.

/**
 * @typedef {import("../index.js").NextAction} NextAction
 * @typedef {import("../index.js").Login} Login
 * @typedef {import("../index.js").LoginState} LoginState
 * @typedef {import("./reading.js").Response} Response
 * @typedef {import("./calls.js").Call} Call
 * @typedef {import("./calls.js").Request} Request
 * @typedef {{ id: number, request: object, secret: string, former?: string, login?: string, reference?: string,
 *   return_prefixes: string[], acknowledged?: boolean, cancelling: boolean, opened: string[], links: string[] }
 *   } SavedLogin what the store keeps of the login. Its id is the time when it began, in milliseconds, with a fraction
 *   that hardly another login has. `former` is the secret of the login that it replaces
 * @typedef {{ kind: string, number?: number, answer?: Response, link?: string, code?: string }} Event
 * @typedef {{ kind: string, record?: SavedLogin, number?: number, outgoing?: Request, due?: number, view?: LoginState }
 *   } Effect
 * @typedef {{ task: Call, since: number }} Sent
 * @typedef {{ record: SavedLogin, known: Login | null, isOver?: boolean, isInForeground: boolean, waiting: Call[],
 *   sent?: Sent | null, count: number, failures: number,
 *   hitch?: { code: string, status?: number } | null, pausedUntil: number, shown?: NextAction | null,
 *   wantsApp?: boolean, isBrowserThere?: boolean, finishedCount: number }} State
 */

/** @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A new login.
 * @param {Pick<SavedLogin, "id" | "request" | "secret" | "former">} own @returns {SavedLogin} */
export const newRecord = (own) => ({ ...own, cancelling: false, return_prefixes: [], opened: [], links: [] });

/** Whether a link starts with one of the login's prefixes (rule 3).
 * @param {SavedLogin} record @param {string} link */
export const accepts = (record, link) => record.return_prefixes.some((prefix) => link.startsWith(prefix));

/** The state of a new login, or of one from the store.
 * @param {SavedLogin} record @returns {State} */
export const begin = (record, isInForeground = true) => ({
  record, isInForeground, known: null, waiting: [], count: 0, failures: 0, pausedUntil: 0, finishedCount: 0,
});

/** What the app gets.
 * @param {string} code @param {Partial<SavedLogin> | undefined} record @param {Partial<LoginState>} more
 * @returns {LoginState} */
export const makeState = (code, record, more) => ({
  code, login: null, action: null, triesLeft: null, trouble: null, error: null, message: null,
  reference: record?.reference ?? null, isFinal: /^f/.test(code), ...more,
});
