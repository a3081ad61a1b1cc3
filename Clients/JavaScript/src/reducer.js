// The state machine of a login, which follows the five rules. It has no clock, no network, no storage and no screen.
import { makeRequest, meaning } from "./calls.js";
import { opens, readLogin, readProblem } from "./reading.js";
import { accepts, makeState, same } from "./state.js";

/**
 * @typedef {import("../index.js").NextAction} NextAction
 * @typedef {import("../index.js").Login} Login
 * @typedef {import("../index.js").LoginState} LoginState
 * @typedef {import("../index.js").Problem} Problem
 * @typedef {import("./calls.js").Call} Call
 * @typedef {import("./reading.js").Response} Response
 * @typedef {import("./state.js").Effect} Effect
 * @typedef {import("./state.js").Event} Event
 * @typedef {import("./state.js").Sent} Sent
 * @typedef {import("./state.js").State} State
 */

/** Takes an event, and returns the next state and the effects, which have to be performed in order. `now` is in
 * milliseconds; `jitter`, from 0 to 1, spreads the retries of clients that failed together.
 * @param {State} state @param {Event} event @param {number} now @returns {{ after: State, effects: Effect[] }} */
export const step = (state, event, now, jitter = 0) => {
  const record = { ...state.record };
  const s = { ...state, record, waiting: [...state.waiting] };
  /** @type {Effect[]} */
  const effects = [];

  /** The final state was shown, by this page or by an earlier one. */
  const isEnded = () => s.known?.final || record.acknowledged;
  /** @param {string} code @param {NextAction | null} [action] @param {Partial<LoginState>} [more] */
  const show = (code, action = null, more) =>
    effects.push({ kind: "show", view: makeState(code, record, { login: s.known, action, ...more }) });
  const store = (kind = "store") => effects.push({ kind, record });
  const storeChanges = () => same(record, state.record) || store();

  const abort = () => {
    effects.push({ kind: "abort", number: s.count });
    s.sent = null;
  };

  const hurry = () => {
    s.failures = 0;
    s.pausedUntil = 0;
  };

  /** The next request. */
  const proceed = () => {
    if (s.sent) {
      // A poll is aborted for another call; any other call must finish.
      if (s.sent.task.kind !== "poll" || !s.waiting.length) return;
      abort();
    }
    // A final login is polled too, until the app has the result safe.
    const mayPoll = s.isInForeground && !record.acknowledged;
    const call = s.waiting[0] ?? (mayPoll && { kind: "poll" });
    if (!call) return;
    if (now < s.pausedUntil) {
      effects.push({ kind: "timer", due: s.pausedUntil });
      return;
    }
    const request = makeRequest(record, call, s.known);
    if (!request) return;
    s.count += 1;
    s.sent = { task: call, since: now };
    effects.push({ kind: "call", number: s.count, outgoing: request });
  };

  /** @param {Call} call */
  const enqueue = (call) => {
    if (isEnded()) return;
    if (!s.waiting.length) hurry();
    s.waiting.push(call);
    proceed();
  };

  /** Rule 5: it ends nothing. The response says how to continue. */
  const reportReturn = () => {
    if (s.waiting.some(({ url }) => url === null)) proceed();
    else enqueue({ kind: "return", url: null });
  };

  /** @param {string} code @param {Problem | null} problem */
  const end = (code, problem = null) => {
    s.isOver = true;
    if (s.sent) abort();
    // What no page needs: it looks whether the login is over.
    effects.push({ kind: "forget" });
    // An app gets one final state only, unless the result is lost before the app has it safe.
    if (isEnded() && code === "abandoned") return;
    // The end of what no page needs.
    if (record.acknowledged) return;
    const reference = record.reference ?? null;
    show("failed", null, { error: { code, problem: code === "refused" ? problem : null, reference } });
  };

  /** Nothing is opened twice by the same link.
   * @param {NextAction} next */
  const markOpened = (next) => {
    const name = /** @type {string} */ (opens(next));
    if (record.opened.includes(name)) return false;
    record.opened = [...record.opened, name];
    return true;
  };

  /** The action to perform now (rule 2); null when it was shown before.
   * @param {NextAction} next @returns {NextAction | null} */
  const claim = (next) => {
    const former = s.shown;
    s.shown = next.action === "wait" ? null : next;
    if (!s.shown) return null;
    return (/^open/.test(next.action) ? markOpened(next) : !same(former, next)) ? next : null;
  };

  /** A response that came too early and brings nothing new must not make the next poll start at once.
   * @param {Sent} sent */
  const pace = ({ task, since }) => {
    if (task.kind === "poll") s.pausedUntil = since + (s.known?.poll.interval ?? 2) * 1000;
  };

  /** The app has the final state. It is repeated until the result is safe, less often each time. */
  const scheduleRepetition = () => {
    s.finishedCount += 1;
    s.pausedUntil = now + Math.min(60_000, 7_500 * 2 ** s.finishedCount);
  };

  /** @param {{ code: string, status?: number }} trouble @param {string} wait the seconds that the server wants */
  const retry = (trouble, wait) => {
    s.failures += 1;
    // 1, 2, 4, 8, 16, 30, 30, … seconds at most.
    const usual = Math.min(15, 2 ** s.failures / 4) * (1 + jitter);
    s.pausedUntil = now + (/^\d{1,15}$/.test(wait) ? Math.min(+wait, 300) + jitter : usual) * 1000;
    // After the final state the app no longer waits for anything.
    const isNews = !same(s.hitch, trouble) && !isEnded();
    s.hitch = trouble;
    if (isNews) show("retrying", null, { trouble });
    proceed();
  };

  /** The call has its response, and there was no error.
   * @param {Call} call */
  const complete = (call) => {
    hurry();
    s.waiting = s.waiting.filter((one) => one !== call);
    record.links = record.links.filter((one) => one !== call.url);
    if (call.kind === "cancel") record.cancelling = false;
  };

  /** What to show of a login that is not final: nothing if there is nothing new.
   * @param {NextAction} next @param {Call} call @param {boolean} isNews
   * @returns {[string, (NextAction | null)?] | false | null} */
  const findNews = (next, { kind, url }, isNews) => {
    // A user who is cancelling must not be sent to a browser.
    if (record.cancelling) return isNews && ["in_progress"];
    const isApp = next.action === "open_app";
    const isOpening = /^open/.test(next.action);
    // The user seems to have left the browser. It is opened again when the user asks for it.
    const isBack = kind === "return" && url === null;
    const isWanted = isBack && isApp && s.wantsApp;
    const isPaused = isBack ? isOpening || (next.action === "resume_browser" && same(s.shown, next))
      // The e-ID's app sent the user back without a response, and the server has a new link to it.
      : kind === "return" && isApp && isNews && s.shown?.action === "open_app";
    if (isBack) {
      s.wantsApp = false;
      if (!isPaused) {
        s.shown = null;
        s.isBrowserThere = false;
      }
    }
    // Also marks it as shown, so that no later poll opens it.
    const action = claim(next);
    if (isWanted) return ["in_progress", next];
    if (isPaused) return ["paused"];
    // What was opened before may be gone: a link started this page, or the app has said so.
    const isOffer = !action && isOpening && !s.isBrowserThere;
    if (action || isOffer) s.isBrowserThere = true;
    if (isOffer) return ["paused"];
    return (isNews || action) && ["in_progress", action];
  };

  /** @param {Login} login @param {Sent} sent */
  const absorb = (login, sent) => {
    const former = s.known;
    s.known = login;
    record.login = login.id;
    record.reference = login.reference || record.reference;
    record.return_prefixes = login.return_prefixes;
    const isNews = former?.version !== login.version || !!s.hitch;
    s.hitch = null;
    if (login.final) {
      s.waiting = [];
      record.links = [];
      record.cancelling = false;
      scheduleRepetition();
      storeChanges();
      show("finished");
    } else {
      const news = findNews(login.next, sent.task, isNews);
      if (!news) pace(sent);
      s.pausedUntil = Math.max(s.pausedUntil, now + login.poll.after_ms);
      // What is shown is stored first.
      storeChanges();
      if (news) show(...news);
    }
    proceed();
  };

  /** @param {Sent} sent @param {Response} response */
  const respond = (sent, response) => {
    const { status, headers } = response;
    const problem = readProblem(response);
    const login = readLogin(response.body, now);
    const known = s.known;
    let code = meaning(sent.task.kind, status, problem);
    // A login is not mixed up with another one, and a final one never changes its status.
    const isOurs = login && (record.login ?? login.id) === login.id && (!known?.final || known.status === login.status);
    if (code === "accept" && !isOurs) code = "unexpected_response";
    if (/^(gone|unk|refu)/.test(code)) return end(code, problem);
    if (/_[lru]/.test(code)) return retry(/^u/.test(code) ? { code, status } : { code }, headers["retry-after"]);
    complete(sent.task);
    if (code === "accept") return absorb(/** @type {Login} */ (login), sent);
    if (code === "unchanged") {
      pace(sent);
      if (isEnded()) scheduleRepetition();
    }
    if (code === "drop") {
      s.wantsApp = false;
      storeChanges();
    }
    if (code === "wrong_code") {
      s.hitch = null;
      if (known) show(code, null, { triesLeft: problem?.tries_left ?? 0 });
    }
    // There is a response again.
    if (s.hitch && !isEnded()) {
      s.hitch = null;
      show(known ? "in_progress" : "starting");
    }
    return proceed();
  };

  /** Nobody knows how far the last request came, so it is repeated. Rule 5: the user is back, without a link unless
   * one is stored. */
  const goOn = () => {
    if (!record.login) s.waiting = [{ kind: "create" }];
    else if (record.acknowledged) s.waiting = [{ kind: "delete" }];
    else s.waiting = record.links.map((url) => ({ kind: "return", url }));
    if (record.cancelling) s.waiting.push({ kind: "cancel" });
    if (!s.waiting.length) s.waiting = [{ kind: "return", url: null }];
    if (!record.acknowledged) show("starting");
    proceed();
  };

  /** @type {Record<string, () => unknown>} */
  const handlers = {
    /** Rule 1: store the login first. */
    start() {
      if (s.count) return;
      store("must_store");
      goOn();
    },

    /** The page was closed. */
    killed: () => s.count || goOn(),

    store_failed: () => end("not_stored"),

    /** An aborted call may still get its response. Without one there was none in time. */
    response() {
      const { sent } = s;
      if (!sent || s.count !== event.number) return;
      s.sent = null;
      respond(sent, /** @type {Response} */ (event.answer));
    },

    timer: proceed,

    /** Rule 3: hand in the link. It may be the only copy of the broker's response, so it is stored first. */
    link() {
      const url = /** @type {string} */ (event.link);
      if (isEnded() || !accepts(record, url) || record.links.includes(url)) return;
      // The user may return more than once, and must be sent back to the browser each time.
      if (/^(resume|show)_browser$/.test(/** @type {any} */ (s.shown?.action))) s.shown = null;
      record.links = [...record.links, url];
      store();
      enqueue({ kind: "return", url });
    },

    code: () => enqueue({ kind: "return", code: event.code }),

    /** Rule 4: poll at once. The user may be back from the e-ID's app, without a link. */
    foreground() {
      s.isInForeground = true;
      hurry();
      const { surface } = /** @type {{ surface?: string }} */ (record.request);
      const isBehindAnotherApp = /^open_app|browser system$/.test(`${s.shown?.action} ${surface}`);
      if (isBehindAnotherApp && !isEnded()) reportReturn();
      else proceed();
    },

    /** Calls for what the user did are still sent. */
    background() {
      s.isInForeground = false;
      if (s.sent?.task.kind === "poll") abort();
    },

    surface_closed: reportReturn,

    /** Rule 5: the user gives up. The page may be closed before the server has heard it, so it is stored first. */
    cancel() {
      if (isEnded() || record.cancelling) return;
      record.cancelling = true;
      store();
      enqueue({ kind: "cancel" });
    },

    open_again() {
      const login = s.known;
      if (!login || login.next.action === "wait") return;
      // The e-ID's app may refuse an old link. The server then has a new one.
      if (login.next.action === "open_app") {
        s.wantsApp = true;
        reportReturn();
        return;
      }
      // What the app shows now is not news later.
      claim(login.next);
      const action = login.page ? { action: "open_browser", ...login.page } : login.next;
      if (action.action === "open_browser") markOpened(action);
      storeChanges();
      show("in_progress", action);
    },

    /** Rule 5: acknowledge a login that is final, once. */
    acknowledge() {
      if (!isEnded() || record.acknowledged) return;
      record.acknowledged = true;
      hurry();
      s.waiting = [{ kind: "delete" }];
      store();
      proceed();
    },

    // What no page needs. `build` leaves it out of the small file.
    abandon: () => end("abandoned"),
    /** Polls at once, without waiting for a pause. */
    refresh() {
      if (!isEnded() || record.acknowledged) return;
      hurry();
      proceed();
    },
    // The end of what no page needs.
  };
  if (!s.isOver) handlers[event.kind]?.();
  return { after: s, effects };
};
