// The login of a page: where it is kept, which window plays it, and how the user comes back.
import { makeRequest, meaning } from "./calls.js";
import { SwitchbackError } from "./error.js";
import { readProviders } from "./providers.js";
import { attempt, opens, parsed, readProblem } from "./reading.js";
import { step } from "./reducer.js";
import { shelf } from "./shelf.js";
import { accepts, begin, makeState, newRecord, same } from "./state.js";
import { transport } from "./transport.js";

/**
 * @typedef {import("../index.js").LoginState} LoginState
 * @typedef {import("./state.js").SavedLogin} SavedLogin
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Event} Event
 * @typedef {import("./state.js").Effect} Effect
 * @typedef {{ crypto: Crypto, window?: (Window & typeof globalThis) | null }} Environment
 */

/** @type {Record<string, string>} */
const messages = {
  in_other_window: "This login continues in another window.",
  handed_over: "Continue in the window where you began.",
  elsewhere: "Continue in the window where you began. If you began no login, close this page.",
};

/** How long another window has to let go of the login, or to take a link. */
const patience = 500;

/** The login that a return link names.
 * @param {string} link */
const loginIn = (link) => {
  const query = new URLSearchParams(link.replace(/^[^?]*|#.*/g, ""));
  return query.has("proof") || query.has("switch") ? query.get("login") : null;
};

/** @param {import("../index.js").Configuration} configuration @param {Environment} environment
 * @param {LockManager} [locks] @param {typeof BroadcastChannel} [Channel]
 * @returns {import("../index.js").Switchback} */
export const connect = (
  configuration, { crypto, window }, locks = window?.navigator.locks, Channel = window?.BroadcastChannel,
) => {
  const { app, log, open } = configuration;
  const server = configuration.server.replace(/\/+$/, "");
  const name = `switchback ${server} ${app ?? ""}`;
  const languages = window?.navigator.languages ?? [];
  /** @type {Set<(state: LoginState | null) => void>} */
  const readers = new Set();
  /** @type {LoginState | null} */
  let shown = null;
  /** The login that this window has.
   * @type {State | null} */
  let login = null;
  /** @type {Event[]} */
  let events = [];
  /** Whether this window plays the login. */
  let isHolding = false;
  /** Ends the wait for the lock, or lets go of it, when `until` is settled.
   * @type {((until?: Promise<unknown>) => void) | undefined} */
  let unlock;
  /** Whether the page's events are of interest; undefined before it asked for them.
   * @type {boolean | undefined} */
  let isListening;
  /** @type {BroadcastChannel | undefined} */
  let channel;
  /** @type {((error: SwitchbackError) => void) | undefined} */
  let refuse;
  /** The call under way.
   * @type {AbortController | undefined} */
  let controller;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** Settled when the call under way was read.
   * @type {Promise<void> | undefined} */
  let pending;
  /** The last providers, and the value of `If-None-Match` that names them. */
  let list = /** @type {import("./reading.js").Response} */ ({ headers: {}, body: "" });

  /** @type {import("./shelf.js").Note} */
  const note = (event, reference, attributes = {}) => {
    // A log is no part of a login.
    attempt(() => log?.({ name: event, reference: reference ?? null, attributes }));
  };

  const { load, save, remove } = shelf(name, () => configuration.storage ?? window?.sessionStorage, note);
  const call = transport(server, configuration.fetch, note);

  /** @param {number} number @param {import("./calls.js").Request} request */
  const send = async (number, request) => {
    const own = (controller = new AbortController());
    const answer = await call(login?.sent?.task.kind, request, own.signal, login?.record.reference);
    // If not, another one, or none, is under way.
    if (own === controller) dispatch("response", { number, answer });
  };

  /** @param {LoginState | null} state */
  const show = (state) => {
    shown = state;
    for (const reader of readers) {
      try {
        reader(state);
      } catch (error) {
        // A reader's mistake is its own, and ends no login.
        setTimeout(() => {
          throw error;
        });
      }
    }
  };

  /** @param {string} code */
  const say = (code) => show(makeState(code, login?.record, { message: messages[code] }));

  /** @param {LoginState} state */
  const take = (state) => {
    const { code, action, error, trouble, reference } = state;
    const { status, reason, isNextUnreadable } = state.login ?? {};
    const why = reason ?? error?.problem ?? error ?? trouble;
    if (isNextUnreadable) note("unreadable_url", reference);
    note("login_state", reference, { state: code, action: action?.action, status, reason: why?.code });
    const link = action && opens(action);
    const before = login;
    show(state);
    if (link && login === before) {
      // Firefox keeps no page that has a lock or a call under way: whoever goes back would load it anew. An app leaves
      // the page here.
      if (!open && action.action !== "open_app") {
        unlock?.();
        dispatch("background");
        // The user may stop the browser, and stay here.
        setTimeout(() => isHolding && dispatch("foreground"), 10_000);
      }
      open ? open(link) : window?.location.assign(link);
    }
    if (state.isFinal && status !== "completed") {
      refuse?.(new SwitchbackError(error?.code ?? reason?.code ?? `${status}`, { ...error, reference }));
    }
  };

  const abort = () => {
    controller?.abort();
    controller = undefined;
  };

  /** Whether the effects after this one may be performed.
   * @param {Effect} effect */
  const perform = ({ kind, record, number, outgoing, due, view }) => {
    if (record && !save(record) && kind === "must_store") return dispatch("store_failed");
    if (outgoing) pending = send(/** @type {number} */ (number), outgoing);
    if (kind === "abort") abort();
    if (due) {
      clearTimeout(timer);
      timer = setTimeout(() => dispatch("timer"), due - performance.now());
    }
    if (view) take(view);
    return true;
  };

  /** A reader of states may send the next event meanwhile.
   * @param {string} kind @param {Partial<Event>} [more] */
  const dispatch = (kind, more) => {
    events.push({ kind, ...more });
    if (events.length > 1) return;
    for (; login && events.length; events.shift()) {
      const { after, effects } = step(login, events[0], performance.now(), Math.random());
      login = after;
      effects.every((effect) => login === after && perform(effect));
      if (after.isOver && login === after) forget();
    }
    events = [];
  };

  /** The login is over. A newer one may be in the storage. */
  const forget = () => {
    const id = login?.record.id;
    channel?.postMessage({ forgot: id });
    // This window no longer waits for the lock. The others hear it before they get the lock.
    unlock?.(new Promise((done) => setTimeout(done, 100)));
    stop();
    if (load()?.id === id) remove();
    if (shown?.code !== "failed") show(null);
  };

  /** A browser without the class makes none, and neither does one that forbids storage. */
  const join = () => attempt(() => new /** @type {typeof BroadcastChannel} */ (Channel)(name));

  const stop = () => {
    login = null;
    isHolding = false;
    events.splice(1);
    abort();
    sleep();
  };

  // --- The window that plays it ---

  /** The page goes away, or nobody waits any more. The login goes on when the page is back. */
  const sleep = (mayComeBack = false) => {
    if (isHolding) dispatch("background");
    // What the user did is still sent after a pause. The next poll waits for the page, and a process need not.
    login?.waiting[0] || clearTimeout(timer);
    isHolding = false;
    unlock?.();
    channel?.close();
    channel = unlock = undefined;
    isListening &&= mayComeBack;
  };

  const listen = () => {
    channel ??= join();
    if (channel) {
      channel.onmessage = ({ data }) => {
        if (!login) return;
        const { record } = login;
        const link = `${data?.link}`;
        if (data?.forgot === record.id) forget();
        else if (isHolding && loginIn(link) === record.login && accepts(record, link)) {
          channel?.postMessage({ took: link });
          dispatch("link", { link });
        }
      };
    }
    if (isListening === undefined) {
      window?.addEventListener("pagehide", () => sleep(true));
      // The browser has kept the page while the user was elsewhere. Rule 5: that is a return without a link.
      window?.addEventListener("pageshow", ({ persisted }) => persisted && isListening && wake("surface_closed"));
      window?.document.addEventListener("visibilitychange", () => {
        if (!window.document.hidden && isHolding) dispatch("foreground");
      });
    }
    isListening = true;
  };

  /** One window plays a login: a duplicated tab has the same storage. Resolves when it is known which one.
   * @param {string} kind what to do if it is this one @param {Partial<Event>} [more]
   * @param {unknown} [steals] whether another window has to let go of it */
  const wake = async (kind, more, steals) => {
    if (!login) return undefined;
    listen();
    if (isHolding) return dispatch(kind, more);
    unlock?.();
    const id = `${name} ${login.record.id}`;
    return new Promise((/** @type {(_: void) => void} */ resolve) => {
      const play = () => {
        isHolding = true;
        resolve();
        if (kind !== "start") dispatch("killed");
        dispatch(kind, more);
        dispatch("foreground");
      };
      if (!locks) return play();
      const wait = (/** @type {unknown} */ isStealing, /** @type {number} */ delay) => {
        const own = new AbortController();
        const { signal } = own;
        // When the other window is gone, this one goes on.
        setTimeout(() => {
          if (!isHolding && !signal.aborted) say("in_other_window");
          resolve();
        }, delay);
        unlock = (until) => {
          own.abort(until);
          resolve();
        };
        locks.request(id, isStealing ? { steal: true } : { signal }, () => signal.aborted || new Promise((release) => {
          signal.addEventListener("abort", () => release(signal.reason));
          play();
        })).catch(() => {
          if (signal.aborted) return;
          // This page may have no locks.
          if (!isHolding) return play();
          // Another window has taken it. The response of a call is no news for this one.
          dispatch("background");
          controller = undefined;
          clearTimeout(timer);
          isHolding = false;
          own.abort();
          if (login) login = begin(login.record, false);
          wait(false, 0);
        });
      };
      wait(steals, patience);
    });
  };

  /** What the user does here is done in this window. Resolves when its call has a response, or none.
   * @param {string} kind @param {Partial<Event>} [more] */
  const act = async (kind, more) => {
    if (!login) return;
    await wake(kind, more, true);
    for (let last; last !== pending && login && login.sent?.task.kind !== "poll";) await (last = pending);
  };

  /** Gives the link to the window that has its login, and says whether there is one.
   * @param {string} link @returns {Promise<boolean>} */
  const handOver = (link) => new Promise((resolve) => {
    const own = join();
    if (!own) return resolve(false);
    own.onmessage = ({ data }) => data?.took === link && resolve(true);
    own.postMessage({ link });
    setTimeout(() => {
      own.close();
      resolve(false);
    }, patience);
  });

  return {
    async providers({ signal, languages: wanted = languages } = {}) {
      const path = `/v1/providers${app ? `?app=${encodeURIComponent(app)}` : ""}`;
      const headers = { Accept: "application/json", ...(list.headers.etag && { "If-None-Match": list.headers.etag }) };
      const response = await call("providers", { path, timeout: 20_000, headers }, signal);
      signal?.throwIfAborted();
      const problem = readProblem(response);
      const code = meaning("create", response.status, problem);
      if (readProviders(response.body, wanted)) list = response;
      // A refusal is the server's word, and no former list helps.
      const all = code !== "refused" && readProviders(list.body, wanted);
      if (all) return all;
      const status = response.status ?? null;
      throw new SwitchbackError(code === "accept" ? "unexpected_response" : code, { problem, status });
    },

    async logIn(request) {
      const { userAgent, maxTouchPoints } = /** @type {any} */ (window?.navigator ?? {});
      const isApple = maxTouchPoints > 1 && /iP|Mac/.test(userAgent);
      const os = /Android/.test(userAgent) ? "android" : isApple ? "ios" : undefined;
      const locale = window?.document.documentElement.lang || languages[0];
      const body = { app, platform: "web", os, locale, ...request };
      refuse?.(new SwitchbackError("replaced"));
      const never = new Promise((_, reject) => (refuse = reject));
      const former = login?.record ?? load();
      const isRunning = former && !former.acknowledged && !login?.known?.final;
      // A login that the user has given up is not joined, also if the server has not heard of it yet.
      if (isRunning && login?.count && !former.cancelling && same(former.request, body)) {
        act("open_again");
      } else {
        // The former login ends by its own outcome, or because the user has given it up.
        const request = isRunning && former.cancelling && makeRequest(former, { kind: "cancel" });
        if (request) call("cancel", request);
        stop();
        // Both characters that no secret may have become one that it may have.
        const secret = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
          .replace(/\W/g, "_").slice(0, 43);
        login = begin(newRecord({
          id: Date.now() + Math.random(), request: parsed(JSON.stringify(body)), secret,
          former: isRunning ? former.secret : undefined,
        }));
        wake("start");
      }
      return /** @type {Promise<never>} */ (never);
    },

    async resume({ signal, link, isBack } = {}) {
      const address = window?.location.href ?? "";
      const isHere = loginIn(address) !== null;
      const url = link ?? (isHere ? address : "");
      const record = login?.record ?? load();
      // The server knows what an app's own link is good for.
      const isOurs = record && accepts(record, url) && (link || loginIn(url) === record.login);
      if (record && !login) {
        // It may be the only copy of the broker's response, so it is stored before it leaves the address bar.
        if (isOurs && !record.links.includes(url)) record.links.push(url) && save(record);
        login = begin(record);
      }
      if (isHere) {
        const rest = new URL(address);
        // The page's own parameters stay.
        for (const one of ["login", "proof", "switch"]) rest.searchParams.delete(one);
        window?.history.replaceState(window.history.state, "", rest);
      }
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => sleep());
      wake(isOurs ? "link" : isBack ? "surface_closed" : "foreground", { link: url }, isOurs);
      if (!login || login.record.acknowledged) {
        if (isHere) {
          const isTaken = await handOver(url);
          note("handed_over", undefined, { taken: isTaken });
          if (!login) say(isTaken ? "handed_over" : "elsewhere");
        }
        signal?.throwIfAborted();
        return shown;
      }
      if (isHere && !isOurs) handOver(url);
      return new Promise((resolve, reject) => {
        /** @param {LoginState | null} state */
        const read = (state) => {
          if (state ? state.code === "starting" : login) return;
          readers.delete(read);
          resolve(state);
        };
        signal?.addEventListener("abort", () => readers.delete(read) && reject(signal.reason));
        readers.add(read);
        read(shown);
      });
    },

    subscribe(reader) {
      // One function may be subscribed twice.
      const own = (/** @type {LoginState | null} */ state) => reader(state);
      readers.add(own);
      own(shown);
      return () => readers.delete(own);
    },

    enterCode: (code) => act("code", { code }),
    continueLogin: () => void act("open_again"),
    cancel: () => act("cancel"),
    acknowledge: () => act("acknowledge"),
  };
};
