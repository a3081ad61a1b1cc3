// What the reducer of a login knows, takes and gives.

/**
 * @typedef {import("../index.js").NextAction} NextAction
 * @typedef {import("../index.js").Login} Login
 * @typedef {import("../index.js").LoginState} LoginState
 * @typedef {import("./reading.js").Response} Response
 * @typedef {import("./calls.js").Call} Call
 * @typedef {import("./calls.js").Request} Request
 * @typedef {{ id: string, request: object, secret: string, started_at: number, login: string | null,
 *   reference: string | null, return_prefixes: string[], acknowledged: boolean, cancelling: boolean, opened: string[],
 *   links: string[] }} SavedLogin what the store keeps of the login
 * @typedef {{ type: string, number?: number, response?: Response, link?: string, code?: string }} Event
 * @typedef {{ type: string, record?: SavedLogin, number?: number, request?: Request, at?: number, state?: LoginState }
 *   } Effect
 * @typedef {{ number: number, call: Call, at: number }} Sent
 * @typedef {{ record: SavedLogin, login: Login | null, isOver: boolean, isInForeground: boolean, waiting: Call[],
 *   sent: Sent | null, count: number, validator: string | null, failures: number,
 *   trouble: { code: string, status?: number } | null, pausedUntil: number, shown: NextAction | null,
 *   wantsApp: boolean, isBrowserGone: boolean, finishedCount: number }} State
 */

/** @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A new login.
 * @param {object} request @param {string} secret @param {string} id @param {number} startedAt
 * @returns {SavedLogin} */
export const newRecord = (request, secret, id, startedAt) => ({
  id, request, secret, started_at: startedAt, login: null, reference: null, return_prefixes: [], acknowledged: false,
  cancelling: false, opened: [], links: [],
});

/** Whether a link starts with one of the login's prefixes (rule 3).
 * @param {SavedLogin} record @param {string} link */
export const accepts = (record, link) => record.return_prefixes.some((prefix) => link.startsWith(prefix));

/** The state of a new login, or of one from the store.
 * @param {SavedLogin} record @returns {State} */
export const begin = (record, isInForeground = true) => ({
  record, isInForeground, login: null, isOver: false, waiting: [], sent: null, count: 0, validator: null, failures: 0,
  trouble: null, pausedUntil: 0, shown: null, wantsApp: false, isBrowserGone: false, finishedCount: 0,
});

/** What the app gets.
 * @param {string} code @param {Partial<LoginState>} more @returns {LoginState} */
export const makeState = (code, more = {}) => ({
  code, login: null, action: null, triesLeft: null, trouble: null, error: null, message: null,
  reference: more.login?.reference || more.error?.reference || null, isFinal: /^fin|^fai/.test(code), ...more,
});
