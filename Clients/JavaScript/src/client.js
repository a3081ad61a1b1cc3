// The login of a page: where it is kept, which window plays it, and how the user comes back.
import { makeRequest } from "./calls.js";
import { SwitchbackError } from "./error.js";
import { answer } from "./providers.js";
import { opens } from "./reading.js";
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
 * @typedef {{ crypto: Crypto, headers?: Record<string, string>, window?: Window | undefined,
 *   locks?: LockManager, Channel?: typeof BroadcastChannel }} Environment
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
 * @returns {import("../index.js").Switchback} */
export const connect = (configuration, { crypto, headers, window, locks, Channel }) => {
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
  /** Ends the wait for the lock, or lets go of it.
   * @type {(() => void) | undefined} */
  let unlock;
  /** Takes the page's events away.
   * @type {AbortController | null} */
  let ears = null;
  /** @type {BroadcastChannel | undefined} */
  let channel;
  /** @type {((error: SwitchbackError) => void) | undefined} */
  let refuse;
  /** The call under way.
   * @type {AbortController | undefined} */
  let controller;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** Settled when the call under way was read. */
  let pending = Promise.resolve();
  /** The last providers, and the value of `If-None-Match` that names them. */
  let list = { etag: "", body: "" };

  /** @param {string} event @param {string | null} reference @param {Record<string, unknown>} attributes */
  const note = (event, reference, attributes = {}) => {
    try {
      log?.({ name: event, reference, attributes });
    } catch {
      // A log is no part of a login.
    }
  };

  const { load, save, remove } = shelf(name, () => configuration.storage ?? window?.sessionStorage, note);
  const call = transport(server, configuration.fetch, headers, note);

  /** @param {number} number @param {import("./calls.js").Request} request */
  const send = async (number, request) => {
    const own = (controller = new AbortController());
    const response = await call(login?.sent?.call.kind, request, own, login?.record.reference);
    // Another one, or none, is under way.
    if (own !== controller) return;
    dispatch(response ? { type: "response", number, response } : { type: "no_response", number });
  };

  /** @param {LoginState | null} state */
  const show = (state) => {
    shown = state;
    for (const reader of readers) {
      try {
        reader(state);
      } catch (error) {
        // A reader's mistake is its own, and ends no login.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  };

  /** @param {string} code @param {string | null} reference */
  const say = (code, reference = null) => show(makeState(code, { reference, message: messages[code] }));

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
        dispatch({ type: "background" });
        // The user may stop the browser, and stay here.
        setTimeout(() => isHolding && dispatch({ type: "foreground" }), 10_000);
      }
      open ? open(link) : window?.location.assign(link);
    }
    if (state.isFinal && status !== "completed") {
      refuse?.(new SwitchbackError(error?.code ?? reason?.code ?? `${status}`, { ...error, reference }));
    }
  };

  /** Whether the effects after this one may be performed.
   * @param {Effect} effect */
  const perform = ({ type, record, number = 0, request, at = 0, state }) => {
    if (record && !save(record) && type === "must_store") {
      events.push({ type: "store_failed" });
      return false;
    }
    if (request) pending = send(number, request);
    if (type === "abort") {
      controller?.abort();
      controller = undefined;
    }
    if (type === "timer") {
      clearTimeout(timer);
      timer = setTimeout(() => dispatch({ type: "timer" }), at - performance.now());
    }
    if (state) take(state);
    return true;
  };

  /** A reader of states may send the next event meanwhile.
   * @param {Event} event */
  const dispatch = (event) => {
    events.push(event);
    if (events.length > 1) return;
    for (; login && events.length; events.shift()) {
      const { state, effects } = step(login, events[0], performance.now(), Math.random());
      login = state;
      effects.every((effect) => login === state && perform(effect));
      if (state.isOver && login === state) forget();
    }
    events = [];
  };

  /** The login is over. A newer one may be in the storage. */
  const forget = () => {
    const id = login?.record.id;
    channel?.postMessage({ forgot: id });
    // The others hear it before they get the lock.
    if (unlock) setTimeout(unlock, 100);
    unlock = undefined;
    stop();
    if (load()?.id === id) remove();
    if (shown?.code !== "failed") show(null);
  };

  /** A browser that forbids storage has the class, and makes none. */
  const join = () => {
    try {
      return Channel && new Channel(name);
    } catch {
      return undefined;
    }
  };

  const stop = () => {
    login = null;
    isHolding = false;
    events.splice(1);
    controller?.abort();
    controller = undefined;
    clearTimeout(timer);
    sleep();
  };

  // --- The window that plays it ---

  /** The page goes away, or nobody waits any more. The login goes on when the page is back. */
  const sleep = (isListening = false) => {
    if (isHolding) dispatch({ type: "background" });
    isHolding = false;
    unlock?.();
    channel?.close();
    channel = unlock = undefined;
    if (isListening) return;
    ears?.abort();
    ears = null;
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
          dispatch({ type: "link", link });
        }
      };
    }
    if (!window || ears) return;
    ears = new AbortController();
    const { signal } = ears;
    window.addEventListener("pagehide", () => sleep(true), { signal });
    // The browser has kept the page while the user was elsewhere. Rule 5: that is a return without a link.
    window.addEventListener("pageshow", ({ persisted }) => persisted && wake({ type: "surface_closed" }), { signal });
    window.document.addEventListener("visibilitychange", () => {
      if (window.document.visibilityState === "visible" && isHolding) dispatch({ type: "foreground" });
    }, { signal });
  };

  /** One window plays a login: a duplicated tab has the same storage. Resolves when it is known which one.
   * @param {Event} event what to do if it is this one */
  const wake = async (event, steals = false) => {
    if (!login) return undefined;
    listen();
    if (isHolding) return dispatch(event);
    unlock?.();
    const play = () => {
      isHolding = true;
      if (!login?.count && event.type !== "start") dispatch({ type: "killed" });
      dispatch(event);
      dispatch({ type: "foreground" });
    };
    if (!locks) return play();
    const id = `${name} ${login.record.id}`;
    return new Promise((/** @type {(_: void) => void} */ resolve) => {
      const wait = (isStealing = false, delay = patience) => {
        const own = new AbortController();
        const { signal } = own;
        let isMine = false;
        const begun = () => {
          clearTimeout(clock);
          resolve();
          play();
        };
        // When the other window is gone, this one goes on.
        const clock = setTimeout(() => {
          say("in_other_window", login?.record.reference);
          resolve();
        }, delay);
        unlock = () => {
          clearTimeout(clock);
          own.abort();
          resolve();
        };
        locks.request(id, isStealing ? { steal: true } : { signal }, () => {
          if (signal.aborted) return undefined;
          isMine = true;
          begun();
          return new Promise((release) => signal.addEventListener("abort", release));
        }).catch(() => {
          if (signal.aborted) return;
          // This page may have no locks.
          if (!isMine) return begun();
          // Another window has taken it. The response of a call is no news for this one.
          dispatch({ type: "background" });
          controller = undefined;
          clearTimeout(timer);
          isHolding = false;
          if (login) login = begin(login.record, false);
          wait(false, 0);
        });
      };
      wait(steals);
    });
  };

  /** What the user does here is done in this window. Resolves when its call has a response, or none.
   * @param {Event} event */
  const act = async (event) => {
    if (!login) return;
    await wake(event, true);
    for (let last; last !== pending && login && login.sent?.call.kind !== "poll";) await (last = pending);
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
      const own = new AbortController();
      signal?.addEventListener("abort", () => own.abort());
      const path = `/v1/providers${app ? `?app=${encodeURIComponent(app)}` : ""}`;
      const response = await call("providers", {
        method: "GET", path, timeout: 20_000, body: null,
        headers: { Accept: "application/json", ...(list.etag && { "If-None-Match": list.etag }) },
      }, own);
      signal?.throwIfAborted();
      const { code, providers, problem, isNew } = answer(response, list.body, wanted);
      if (isNew && response) list = { etag: response.headers.etag, body: response.body };
      if (providers) return providers;
      throw new SwitchbackError(code, { problem, status: response?.status ?? null });
    },

    async logIn(request) {
      const { userAgent = "", maxTouchPoints = 0 } = window?.navigator ?? {};
      const isApple = maxTouchPoints > 1 && /iP|Mac/.test(userAgent);
      const os = /Android/.test(userAgent) ? "android" : isApple ? "ios" : undefined;
      const locale = window?.document.documentElement.lang || languages[0];
      const body = { app, platform: "web", os, locale, ...request };
      refuse?.(new SwitchbackError("replaced"));
      const never = new Promise((_, reject) => (refuse = reject));
      const former = login?.record ?? load();
      const isRunning = former && !former.acknowledged && !login?.login?.final;
      // A login that the user has given up is not joined, also if the server has not heard of it yet.
      if (isRunning && login?.count && !former.cancelling && same(former.request, body)) {
        act({ type: "open_again" });
      } else {
        stop();
        // Some e-IDs allow one login at a time.
        const request = isRunning && makeRequest(former, { kind: "cancel" }, null, 0);
        if (request) call("cancel", request, new AbortController());
        const secret = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
          .replace(/\+/g, "-").replace(/\//g, "_").slice(0, 43);
        const record = newRecord(JSON.parse(JSON.stringify(body)), secret, Math.random().toString(36), Date.now());
        login = begin(record);
        wake({ type: "start" });
      }
      return /** @type {Promise<never>} */ (never);
    },

    async resume({ signal, link, isBack } = {}) {
      const address = window?.location.href ?? "";
      const isHere = loginIn(address) !== null;
      const url = link ?? (isHere ? address : "");
      const isNew = !login;
      const record = login?.record ?? load();
      // The server knows what an app's own link is good for.
      const isOurs = record && url && accepts(record, url) && (link || loginIn(url) === record.login);
      if (record && isNew) {
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
      wake(isOurs ? { type: "link", link: url } : { type: isBack ? "surface_closed" : "foreground" }, !!isOurs);
      if (!login || login.record.acknowledged) {
        if (isHere) {
          const isTaken = await handOver(url);
          note("handed_over", null, { taken: isTaken });
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
      return () => void readers.delete(own);
    },

    enterCode: (code) => act({ type: "code", code }),
    continueLogin: () => void act({ type: "open_again" }),
    cancel: () => act({ type: "cancel" }),
    acknowledge: () => act({ type: "acknowledge" }),
  };
};
