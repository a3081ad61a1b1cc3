// The state machine of a login, which follows the five rules. It has no clock, no network, no storage and no screen.
import { opens, readLogin, readProblem } from "./reading.js";

/**
 * @typedef {import("../index.js").NextAction} NextAction
 * @typedef {import("../index.js").Login} Login
 * @typedef {import("../index.js").LoginState} LoginState
 * @typedef {import("./reading.js").Response} Response
 * @typedef {{ kind: string, url?: string | null, code?: string }} Call
 * @typedef {{ id: string, request: object, secret: string, started_at: number, login: string | null,
 *   reference: string | null, return_prefixes: string[], acknowledged: boolean, opened: string[], links: string[] }
 *   } SavedLogin what the store keeps of the login
 * @typedef {{ method: string, path: string, headers: Record<string, string>, body: string | null, timeout: number }
 *   } Request
 * @typedef {{ type: string, number?: number, response?: Response, link?: string, code?: string }} Event
 * @typedef {{ type: string, record?: SavedLogin, number?: number, request?: Request, at?: number, state?: LoginState }
 *   } Effect
 * @typedef {{ record: SavedLogin, login: Login | null, isOver: boolean, isInForeground: boolean, waiting: Call[],
 *   sent: { number: number, call: Call, at: number } | null, count: number, validator: string | null,
 *   failures: number, trouble: { code: string, status?: number } | null, pausedUntil: number | null,
 *   shown: NextAction | null, wantsApp: boolean, finishedCount: number }} State
 */

/** @param {unknown} one @param {unknown} other */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** A new login.
 * @param {object} request @param {string} secret @param {string} id @param {number} startedAt
 * @returns {SavedLogin} */
export const newRecord = (request, secret, id, startedAt) => ({
  id, request, secret, started_at: startedAt, login: null, reference: null, return_prefixes: [], acknowledged: false,
  opened: [], links: [],
});

/** Whether a link starts with one of the login's prefixes (rule 3).
 * @param {SavedLogin} record @param {string} link */
export const accepts = (record, link) => record.return_prefixes.some((prefix) => link.startsWith(prefix));

/** The state of a new login, or of one from the store.
 * @param {SavedLogin} record @returns {State} */
export const begin = (record, isInForeground = true) => ({
  record, isInForeground, login: null, isOver: false, waiting: [], sent: null, count: 0, validator: null, failures: 0,
  trouble: null, pausedUntil: null, shown: null, wantsApp: false, finishedCount: 0,
});

/** Takes an event, and returns the next state and the effects, which have to be performed in order. `now` is in
 * milliseconds; `jitter`, from 0 to 1, spreads the retries of clients that failed together.
 * @param {State} state @param {Event} event @param {number} now @returns {{ state: State, effects: Effect[] }} */
export function step(state, event, now, jitter = 0) {
  const next = { ...state, record: { ...state.record }, waiting: [...state.waiting] };
  const effects = state.isOver ? [] : new Machine(next, now, jitter).handle(event);
  return { state: next, effects };
}

/** What the app gets.
 * @param {string} code @param {Partial<LoginState>} more @returns {LoginState} */
export const makeState = (code, more = {}) => {
  const [login, error] = [more.login ?? null, more.error ?? null];
  return {
    code, login, action: null, triesLeft: null, trouble: null, error, message: null,
    reference: login?.reference || error?.reference || null, isFinal: /^(finished|failed)$/.test(code), ...more,
  };
};

// What each response means. The first row that fits counts: calls, first and last status, code of the problem (`*` is
// any problem, and nothing is any response), outcome. Only Switchback itself can end a login or drop a link.
const open = "poll return cancel", all = "create poll return cancel delete";
/** @type {[string, number, number, string, string][]} */
const rows = [
  ["create", 200, 201, "", "accept"], [open, 200, 200, "", "accept"], ["poll", 304, 304, "", "unchanged"],
  ["delete", 204, 204, "", "wiped"],
  // The login is deleted, or cannot be. The app has the result, so this is the end in any case.
  ["delete", 404, 404, "unknown_login", "wiped"], ["delete", 410, 410, "gone", "wiped"],
  ["delete", 409, 409, "not_final", "wiped"], ["delete", 401, 401, "malformed_poll_secret", "wiped"],
  [open, 404, 404, "unknown_login", "unknown_login"], [`${open} create`, 410, 410, "gone", "gone"],
  [open, 400, 400, "secret_in_query", "refused"], [open, 401, 401, "malformed_poll_secret", "refused"],
  ["return", 422, 422, "wrong_code", "wrong_code"], [all, 408, 408, "", "service_unavailable"],
  // A request that is refused today is refused tomorrow, and must not block the polls.
  ["return cancel", 400, 428, "*", "drop"], ["return", 413, 414, "", "drop"], ["return", 431, 431, "", "drop"],
  ["create", 400, 428, "*", "refused"],
  [all, 429, 429, "", "rate_limited"], [all, 500, 599, "", "service_unavailable"],
];

class Machine {
  /** @param {State} s @param {number} now @param {number} jitter */
  constructor(s, now, jitter) {
    this.s = s;
    this.now = now;
    this.jitter = jitter;
  }

  /** The final state was shown, by this process or by an earlier one. */
  get isEnded() {
    return this.s.login?.isFinal || this.s.record.acknowledged;
  }

  /** @param {Event} event @returns {Effect[]} */
  handle(event) {
    const s = this.s;
    switch (event.type) {
      case "start": return this.start();
      case "killed": return this.resume();
      case "store_failed": return this.end("not_stored");
      case "response": return this.respond(event);
      case "no_response": return this.take(event) ? this.retry({ code: "no_response" }, null) : [];
      case "timer": return this.proceed();
      case "link": return this.openLink(event.link ?? "");
      case "code": return this.enqueue({ kind: "return", code: event.code });
      case "foreground": return this.enter();
      case "background": return this.leave();
      case "surface_closed": return this.reportReturn();
      case "cancel": return s.waiting.some((call) => call.kind === "cancel") ? [] : this.enqueue({ kind: "cancel" });
      case "open_again": return this.showAgain();
      case "refresh": return this.refresh();
      case "acknowledge": return this.acknowledge();
      case "abandon": return this.end("abandoned");
      default: return [];
    }
  }

  /** @param {string} code @param {Partial<LoginState>} more @returns {Effect} */
  show(code, more = {}) {
    return { type: "show", state: makeState(code, more) };
  }

  /** @returns {Effect} */
  store(type = "store") {
    return { type, record: { ...this.s.record } };
  }

  /** Rule 1: store the login first. */
  start() {
    const s = this.s;
    if (s.waiting.length || s.sent || s.login) return [];
    s.waiting = [{ kind: "create" }];
    return [this.store("must_store"), this.show("starting"), ...this.proceed()];
  }

  /** The page was closed, and nobody knows how far the last request came, so it is repeated. Rule 5: the user is back,
   * without a link unless one is stored. */
  resume() {
    const s = this.s;
    if (s.waiting.length || s.sent || s.login) return [];
    if (s.record.acknowledged && s.record.login) s.waiting = [{ kind: "delete" }];
    else if (!s.record.login) s.waiting = [{ kind: "create" }];
    else if (!s.record.links.length) s.waiting = [{ kind: "return", url: null }];
    else s.waiting = s.record.links.map((url) => ({ kind: "return", url }));
    return [...(s.record.acknowledged ? [] : [this.show("starting")]), ...this.proceed()];
  }

  /** Rule 3: hand in the link. It may be the only copy of the broker's response, so it is stored first.
   * @param {string} link */
  openLink(link) {
    const s = this.s;
    if (this.isEnded || !accepts(s.record, link) || s.record.links.includes(link)) return [];
    // The user may return more than once, and must be sent back to the browser each time.
    if (s.shown?.action === "resume_browser" || s.shown?.action === "show_browser") s.shown = null;
    s.record.links = [...s.record.links, link];
    return [this.store(), ...this.enqueue({ kind: "return", url: link })];
  }

  /** Rule 4: poll at once. The user may be back from the e-ID's app, without a link. */
  enter() {
    const s = this.s;
    s.isInForeground = true;
    s.failures = 0;
    s.pausedUntil = null;
    return this.isBehindAnotherApp && !this.isEnded ? this.reportReturn() : this.proceed();
  }

  get isBehindAnotherApp() {
    const action = this.s.shown?.action ?? "";
    if (action === "open_app") return true;
    const request = /** @type {{ surface?: string }} */ (this.s.record.request);
    return /browser$/.test(action) && request.surface === "system";
  }

  /** Calls for what the user did are still sent. */
  leave() {
    const s = this.s;
    s.isInForeground = false;
    if (s.sent?.call.kind !== "poll") return [];
    return [this.abort()];
  }

  /** @returns {Effect} */
  abort() {
    const number = this.s.sent?.number;
    this.s.sent = null;
    return { type: "abort", number };
  }

  /** Rule 5: it ends nothing. The response says how to continue. */
  reportReturn() {
    const call = { kind: "return", url: null };
    return this.s.waiting.some((one) => same(one, call)) ? this.proceed() : this.enqueue(call);
  }

  showAgain() {
    const s = this.s;
    const login = s.login;
    if (!login || login.isFinal || login.next.action === "wait") return [];
    // The e-ID's app may refuse an old link. The server then has a new one.
    if (login.next.action === "open_app") {
      s.wantsApp = true;
      return this.reportReturn();
    }
    const before = s.record.opened;
    // What the app shows now is not news later.
    this.claim(login.next);
    const action = login.page ? { action: "open_browser", ...login.page } : login.next;
    if (action.action === "open_browser") this.markOpened(action);
    return [...(s.record.opened === before ? [] : [this.store()]), this.show("in_progress", { login, action })];
  }

  /** Rule 5: acknowledge a login that is final, once. */
  acknowledge() {
    const s = this.s;
    if (!this.isEnded || s.record.acknowledged) return [];
    s.record.acknowledged = true;
    s.failures = 0;
    s.pausedUntil = null;
    s.waiting = [{ kind: "delete" }];
    return [this.store(), ...this.proceed()];
  }

  /** Polls at once, without waiting for a pause. */
  refresh() {
    const s = this.s;
    if (!this.isEnded || s.record.acknowledged) return [];
    s.failures = 0;
    s.pausedUntil = null;
    return this.proceed();
  }

  /** @param {Call} call @returns {Effect[]} */
  enqueue(call) {
    const s = this.s;
    if (this.isEnded) return [];
    if (!s.waiting.length) {
      s.failures = 0;
      s.pausedUntil = null;
    }
    s.waiting.push(call);
    return this.proceed();
  }

  /** The next request.
   * @returns {Effect[]} */
  proceed() {
    const s = this.s;
    const effects = [];
    if (s.sent) {
      // A poll is aborted for another call; any other call must finish.
      if (s.sent.call.kind !== "poll" || !s.waiting.length) return [];
      effects.push(this.abort());
    }
    // A final login is polled too, until the app has the result safe.
    const mayPoll = s.isInForeground && !s.record.acknowledged;
    const call = s.waiting[0] ?? (mayPoll ? { kind: "poll" } : null);
    if (!call) return effects;
    if (s.pausedUntil !== null && this.now < s.pausedUntil) {
      return [...effects, { type: "timer", at: s.pausedUntil }];
    }
    const request = this.request(call);
    if (!request) return effects;
    s.count += 1;
    s.sent = { number: s.count, call, at: this.now };
    return [...effects, { type: "call", number: s.count, request }];
  }

  /** @param {Call} call @returns {Request | null} */
  request(call) {
    const { record, login, validator } = this.s;
    /** @param {string} method @param {string} path @param {Record<string, string>} headers @param {object} [body] */
    const make = (method, path, headers, body, seconds = 20) => ({
      method, path: `/v1/logins${path}`, timeout: seconds * 1000, body: body ? JSON.stringify(body) : null,
      headers: { Accept: "application/json", ...headers, ...(body ? { "Content-Type": "application/json" } : {}) },
    });
    if (call.kind === "create") return make("POST", "", {}, { ...record.request, poll_secret: record.secret });
    if (!record.login) return null;
    const [path, bearer] = [`/${record.login}`, { Authorization: `Bearer ${record.secret}` }];
    switch (call.kind) {
      case "return": return make("POST", `${path}/return`, bearer,
        call.code === undefined ? { url: call.url } : { code: call.code });
      case "cancel": return make("POST", `${path}/cancel`, { ...bearer, Prefer: "wait=5" }, undefined, 25);
      case "delete": return make("DELETE", path, bearer);
    }
    const wait = login?.poll.wait;
    // Without a validator the server would hold the poll until the login is final. This one gets the state at once.
    if (!validator || !wait) return make("GET", path, bearer);
    const headers = { ...bearer, Prefer: `wait=${wait}`, "If-None-Match": validator };
    return make("GET", path, headers, undefined, wait + 20);
  }

  /** The call that has its response. An aborted one may still get its own.
   * @param {Event} event */
  take(event) {
    const sent = this.s.sent;
    if (sent?.number !== event.number) return null;
    this.s.sent = null;
    return sent;
  }

  /** @param {Event} event @returns {Effect[]} */
  respond(event) {
    const s = this.s;
    const sent = this.take(event);
    const response = event.response;
    if (!sent || !response) return [];
    const before = { ...s.record };
    const problem = readProblem(response);
    const [, , , , outcome] = rows.find(([kinds, first, last, code]) => kinds.split(" ").includes(sent.call.kind)
      && first <= response.status && response.status <= last
      && (!code || (code === "*" ? problem : problem?.code === code))) ?? [, , , , "unexpected_response"];
    const retryAfter = /^\d{1,15}$/.test(response.headers["retry-after"] ?? "")
      ? Math.min(Number(response.headers["retry-after"]), 300) * 1000 : null;
    const notUnderstood = { code: "unexpected_response", status: response.status };
    switch (outcome) {
      case "accept": {
        const login = readLogin(response.body, this.now);
        // A login is not mixed up with another one, and a final one never changes its status.
        const isOurs = login && (s.record.login ?? login.id) === login.id
          && (!s.login?.isFinal || s.login.status === login.status);
        if (!isOurs) return this.retry(notUnderstood, retryAfter);
        this.complete(sent.call);
        return this.absorb(login, sent, before);
      }
      case "unchanged":
        this.complete(sent.call);
        this.pace(sent);
        if (this.isEnded) this.scheduleRepetition();
        return [...this.showRecovery(), ...this.proceed()];
      case "drop":
        this.complete(sent.call);
        s.wantsApp = false;
        return [...this.storeChanges(before), ...this.showRecovery(), ...this.proceed()];
      case "wrong_code": {
        this.complete(sent.call);
        s.trouble = null;
        const state = { login: s.login, triesLeft: problem?.triesLeft ?? 0 };
        return [...(s.login ? [this.show("wrong_code", state)] : []), ...this.proceed()];
      }
      case "wiped":
        s.isOver = true;
        return [{ type: "forget" }];
      case "gone": case "unknown_login": case "refused": return this.end(outcome, problem);
      case "rate_limited": case "service_unavailable": return this.retry({ code: outcome }, retryAfter);
      default: return this.retry(notUnderstood, retryAfter);
    }
  }

  /** The call has its response, and there was no error.
   * @param {Call} call */
  complete(call) {
    const s = this.s;
    s.failures = 0;
    s.pausedUntil = null;
    if (same(s.waiting[0], call)) s.waiting.shift();
    if (call.url) s.record.links = s.record.links.filter((link) => link !== call.url);
  }

  /** @param {SavedLogin} before @returns {Effect[]} */
  storeChanges(before) {
    return same(this.s.record, before) ? [] : [this.store()];
  }

  /** @param {Login} login @param {{ call: Call, at: number }} sent @param {SavedLogin} before @returns {Effect[]} */
  absorb(login, sent, before) {
    const s = this.s;
    const former = s.login;
    s.login = login;
    // From the body, because a proxy that compresses may change the ETag.
    s.validator = login.version > 0 ? `W/"${login.version}"` : null;
    s.record.login = login.id;
    if (login.reference) s.record.reference = login.reference;
    s.record.return_prefixes = login.returnPrefixes;
    const isNews = former?.version !== login.version || s.trouble !== null;
    s.trouble = null;
    if (login.isFinal) {
      s.waiting = [];
      s.record.links = [];
      // Without a validator the next poll returns at once, with an assertion that is signed anew.
      s.validator = null;
      this.scheduleRepetition();
      return [...this.storeChanges(before), this.show("finished", { login }), ...this.proceed()];
    }
    const state = this.stateOf(login, sent.call, isNews, !former);
    if (!state) this.pace(sent);
    if (login.poll.afterMs > 0) s.pausedUntil = Math.max(s.pausedUntil ?? 0, this.now + login.poll.afterMs);
    return [...this.storeChanges(before), ...(state ? [state] : []), ...this.proceed()];
  }

  /** The app has the final state. It is repeated until the result is safe, less often each time. */
  scheduleRepetition() {
    const s = this.s;
    s.finishedCount += 1;
    s.pausedUntil = this.now + [15_000, 30_000, 60_000][Math.min(s.finishedCount, 3) - 1];
  }

  /** The state to show of a login that is not final; null when there is nothing new.
   * @param {Login} login @param {Call} call @param {boolean} isNews @param {boolean} isFirst @returns {Effect | null} */
  stateOf(login, call, isNews, isFirst) {
    const s = this.s;
    const { next } = login;
    const isReturn = call.kind === "return";
    // A user who is cancelling must not be sent to a browser.
    if (s.waiting.some((one) => one.kind === "cancel")) return isNews ? this.show("in_progress", { login }) : null;
    if (isReturn && call.url === null) {
      const { wantsApp } = s;
      s.wantsApp = false;
      if (wantsApp && next.action === "open_app") {
        this.claim(next);
        return this.show("in_progress", { login, action: next });
      }
      // The user seems to have left the browser. It is opened again when the user asks for it.
      if (this.pausesAt(next)) return this.show("paused", { login });
      s.shown = null;
    }
    // The e-ID's app sent the user back without a response, and the server has a new link to it.
    if (isReturn && next.action === "open_app" && s.shown?.action === "open_app" && isNews) {
      this.claim(next);
      return this.show("paused", { login });
    }
    const action = this.claim(next);
    // A link started this page. What the former one had opened may be gone.
    if (isFirst && !action && /^open_/.test(next.action)) return this.show("paused", { login });
    return isNews || action ? this.show("in_progress", { login, action }) : null;
  }

  /** Whether the action waits for the user after a return without a link.
   * @param {NextAction} next */
  pausesAt(next) {
    if (next.action === "resume_browser") return same(this.s.shown, next);
    if (!/^open_/.test(next.action)) return false;
    // Marks it as shown, so that no later poll opens it.
    this.claim(next);
    return true;
  }

  /** The action to perform now (rule 2); null when it was shown before. Nothing is opened twice by the same link.
   * @param {NextAction} next @returns {NextAction | null} */
  claim(next) {
    const s = this.s;
    const former = s.shown;
    s.shown = next.action === "wait" ? null : next;
    if (next.action === "wait") return null;
    return (/^open_/.test(next.action) ? this.markOpened(next) : !same(former, next)) ? next : null;
  }

  /** @param {NextAction} next */
  markOpened(next) {
    const { record } = this.s;
    const name = opens(next) ?? "";
    if (record.opened.includes(name)) return false;
    record.opened = [...record.opened, name];
    return true;
  }

  /** A response that came too early and brings nothing new must not make the next poll start at once.
   * @param {{ call: Call, at: number }} sent */
  pace(sent) {
    const interval = (this.s.login?.poll.interval ?? 2) * 1000;
    if (sent.call.kind === "poll" && this.now - sent.at < interval) this.s.pausedUntil = sent.at + interval;
  }

  showRecovery() {
    const s = this.s;
    if (!s.trouble || this.isEnded) return [];
    s.trouble = null;
    return [s.login ? this.show("in_progress", { login: s.login }) : this.show("starting")];
  }

  /** @param {{ code: string, status?: number }} trouble @param {number | null} retryAfter @returns {Effect[]} */
  retry(trouble, retryAfter) {
    const s = this.s;
    s.failures += 1;
    // 1, 2, 4, 8, 16, 30, 30, … seconds at most.
    const longest = Math.min(30_000, 1000 * 2 ** Math.min(s.failures - 1, 10));
    const delay = retryAfter === null ? (longest * (1 + this.jitter)) / 2 : retryAfter + 1000 * this.jitter;
    s.pausedUntil = this.now + delay;
    // After the final state the app no longer waits for anything.
    const isNews = !same(s.trouble, trouble) && !this.isEnded;
    s.trouble = trouble;
    return [...(isNews ? [this.show("retrying", { login: s.login, trouble })] : []), ...this.proceed()];
  }

  /** @param {string} code @param {import("../index.js").Problem | null} problem @returns {Effect[]} */
  end(code, problem = null) {
    const s = this.s;
    s.isOver = true;
    const effects = s.sent ? [this.abort()] : [];
    // An app gets one final state only, unless the result is lost before the app has it safe.
    const isTold = s.record.acknowledged || (this.isEnded && code === "abandoned");
    const error = { code, problem: code === "refused" ? problem : null, reference: s.record.reference };
    return [...effects, { type: "forget" }, ...(isTold ? [] : [this.show("failed", { error })])];
  }
}
