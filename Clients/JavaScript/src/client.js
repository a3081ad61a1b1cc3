// The login of a page: where it is kept, which window plays it, and how the user comes back.
import { accepts, makeState, newRecord } from "./reducer.js";
import { readProblem, readProviders } from "./reading.js";
import { Run } from "./run.js";

/**
 * @typedef {import("../index.js").LoginState} LoginState
 * @typedef {import("../index.js").Switchback} Switchback
 * @typedef {import("./reducer.js").SavedLogin} SavedLogin
 * @typedef {{ crypto: Crypto, headers: Record<string, string>, window: (Window & typeof globalThis) | undefined,
 *   locks: LockManager | undefined, BroadcastChannel: typeof BroadcastChannel | undefined }} Environment
 */

/** An error that an app can decide by. */
export class SwitchbackError extends Error {
  /** @param {string} code
   * @param {{ problem?: import("../index.js").Problem | null, reference?: string | null, status?: number }} more */
  constructor(code, { problem = null, reference = null, status } = {}) {
    super(problem ? `${code}: ${problem.code}, ${problem.detail}` : code);
    this.name = "SwitchbackError";
    this.code = code;
    this.problem = problem;
    this.reference = reference;
    this.status = status ?? problem?.status ?? null;
  }
}

const messages = {
  in_other_window: "This login continues in another window.",
  handed_over: "Go back to the window where you began. The login continues there.",
  elsewhere: "Continue in the window where you began. If you began no login, close this page.",
};
/** How long another window has to take a link. */
const patience = 1000;
/** After ten minutes without a response from the server the user no longer expects a browser. */
const staleAfter = 600_000;
/** What the server adds to a return link. */
const own = ["login", "proof", "switch"];

/** @param {Uint8Array} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** @param {string} link */
const parsedLink = (link) => {
  try {
    return new URL(link);
  } catch {
    return null;
  }
};

/** The login that a return link names.
 * @param {string | undefined} link */
const loginIn = (link) => {
  const query = parsedLink(link ?? "")?.searchParams;
  return query?.has("proof") || query?.has("switch") ? query.get("login") : null;
};

/** @implements {Switchback} */
export class Client {
  /** @type {LoginState | null} */
  state = null;
  /** @type {Set<(state: LoginState | null) => void>} */
  readers = new Set();
  /** @type {Run | null} */
  run = null;
  /** Ends the wait for the lock, or lets go of it.
   * @type {(() => void) | null} */
  unlock = null;
  isHolding = false;
  /** @type {BroadcastChannel | null} */
  channel = null;
  /** Takes the page's events away.
   * @type {(() => void) | null} */
  deafen = null;
  /** @type {((error: SwitchbackError) => void) | null} */
  refuse = null;
  /** @type {{ etag: string | undefined, body: string } | null} */
  list = null;

  /** @param {import("../index.js").Configuration} configuration @param {Environment} environment */
  constructor(configuration, environment) {
    this.configuration = configuration;
    this.environment = environment;
    this.server = configuration.server.replace(/\/+$/, "");
    this.name = `switchback ${this.server} ${configuration.app ?? ""}`;
    /** @type {typeof fetch} */
    this.fetch = configuration.fetch ?? ((...all) => fetch(...all));
  }

  // --- What the page calls ---

  /** @param {{ signal?: AbortSignal, languages?: readonly string[] }} options */
  async providers({ signal, languages = this.languages } = {}) {
    const { app } = this.configuration;
    const former = this.list;
    let error = new SwitchbackError("no_response");
    try {
      const response = await this.fetch(
        `${this.server}/v1/providers${app === undefined ? "" : `?app=${encodeURIComponent(app)}`}`, {
          signal, cache: "no-store", credentials: "omit", redirect: "manual", referrerPolicy: "no-referrer",
          headers: { Accept: "application/json", ...(former?.etag ? { "If-None-Match": former.etag } : {}),
            ...this.environment.headers },
        });
      const { status } = response;
      const [headers, body] = [Object.fromEntries(response.headers), await response.text()];
      this.log("request", null, { call: "providers", status });
      const providers = status === 200 ? readProviders(body, languages) : null;
      if (providers) {
        this.list = { etag: headers.etag, body };
        return providers;
      }
      const problem = status >= 400 && status < 500 && status !== 429 ? readProblem({ status, headers, body }) : null;
      if (problem) throw new SwitchbackError("refused", { problem });
      const code = status === 429 ? "rate_limited" : status >= 500 ? "service_unavailable" : "unexpected_response";
      error = new SwitchbackError(code, { status });
    } catch (caught) {
      if (caught instanceof SwitchbackError || signal?.aborted) throw caught;
      this.log("request", null, { call: "providers" });
    }
    const providers = former && readProviders(former.body, languages);
    if (!providers) throw error;
    return providers;
  }

  /** @param {import("../index.js").LoginRequest} request @returns {Promise<never>} */
  async logIn(request) {
    const wanted = this.body(request);
    const former = this.run ?? this.makeRun(this.load());
    const isRunning = former && !former.record.acknowledged && !former.state.login?.isFinal;
    const never = new Promise((_, reject) => (this.refuse?.(new SwitchbackError("replaced")), this.refuse = reject));
    if (former && isRunning && JSON.stringify(former.record.request) === JSON.stringify(wanted)) {
      this.run = former;
      this.act({ type: "open_again" }, true);
    } else {
      if (former) this.replace(former);
      const [secret, id] = [32, 9].map((size) => base64url(this.environment.crypto.getRandomValues(new Uint8Array(size))));
      this.run = this.makeRun(newRecord(wanted, secret, id, Date.now()));
      this.wake({ type: "start" }, true);
    }
    return /** @type {Promise<never>} */ (never);
  }

  /** @param {{ signal?: AbortSignal, link?: string }} options @returns {Promise<LoginState | null>} */
  async resume({ signal, link } = {}) {
    const address = this.environment.window?.location.href;
    const taken = link ?? (loginIn(address) === null ? undefined : address);
    const record = this.run?.record ?? this.load();
    const name = loginIn(taken);
    const isOurs = record && taken !== undefined && accepts(record, taken) && (name === null || name === record.login);
    const former = this.run;
    const run = this.run ??= this.makeRun(record);
    if (isOurs && run && !former) {
      // It may be the only copy of the broker's response, so it is stored before it leaves the address bar.
      if (!record.links.includes(taken)) record.links.push(taken);
      try {
        this.save(record);
      } catch {
        this.log("not_stored", record.reference);
      }
    }
    if (taken !== undefined && taken === address) this.cleanAddress();
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => this.sleep(), { once: true });
    const other = taken !== undefined && !isOurs ? this.handOver(taken) : null;
    if (!run || run.record.acknowledged) {
      if (run) this.wake({ type: "killed" });
      const state = other && makeState(await other ? "handed_over" : "elsewhere");
      signal?.throwIfAborted();
      if (state) this.show({ ...state, message: messages[/** @type {"elsewhere"} */ (state.code)] });
      return this.state;
    }
    if (former && isOurs) this.act({ type: "link", link: taken }, true);
    else this.wake(former ? { type: "foreground" } : { type: "killed" }, isOurs ?? false);
    return this.news(signal);
  }

  /** @param {(state: LoginState | null) => void} reader */
  subscribe(reader) {
    // One function may be subscribed twice.
    const own = (/** @type {LoginState | null} */ state) => reader(state);
    this.readers.add(own);
    own(this.state);
    return () => void this.readers.delete(own);
  }

  /** @param {string} code */
  async enterCode(code) {
    await this.act({ type: "code", code });
  }

  continueLogin() {
    this.act(this.isHolding ? { type: "open_again" } : { type: "foreground" });
  }

  async cancel() {
    await this.act({ type: "cancel" });
  }

  async acknowledge() {
    await this.act({ type: "acknowledge" });
  }

  // --- The login ---

  /** What the user does here is done in this window.
   * @param {import("./reducer.js").Event} event */
  async act(event, isNew = false) {
    const { run } = this;
    if (!run) return;
    if (this.isHolding) run.dispatch(event);
    else await this.wake(run.isStarted || isNew ? event : { type: "killed" }, true);
    await run.settled();
  }

  /** @param {SavedLogin | null} record */
  makeRun(record) {
    if (!record) return null;
    /** @type {Run} */
    const run = new Run(record, {
      url: this.server, fetch: this.fetch, headers: this.environment.headers, log: this.log.bind(this),
      save: (saved) => {
        if (run === this.run) this.save(saved);
      },
      show: (state) => {
        if (run === this.run) this.take(state);
        // Nobody waits for a login that was replaced.
        else if (state.isFinal) run.dispatch({ type: "acknowledge" });
      },
      over: () => {
        if (run === this.run) this.forget(run);
      },
    });
    return run;
  }

  /** @param {LoginState} state */
  take(state) {
    const { login, action, error, trouble, reference } = state;
    if (login?.isNextUnreadable) this.log("unreadable_url", reference);
    this.log("login_state", reference, {
      state: state.code, action: action?.action, status: login?.status, reason: login?.reason?.code ?? trouble?.code,
      error: error?.problem?.code ?? error?.code,
    });
    this.show(state);
    const url = action?.url ?? action?.universalLink ?? action?.customScheme ?? action?.fallback ?? action?.storeUrl;
    const { open } = this.configuration;
    if (url) open ? open(url) : this.environment.window?.location.assign(url);
    if (error) this.refuse?.(new SwitchbackError(error.code, error));
    else if (login?.isFinal && login.status !== "completed") {
      this.refuse?.(new SwitchbackError(login.reason?.code ?? login.status, { reference }));
    }
  }

  /** @param {LoginState | null} state */
  show(state) {
    this.state = state;
    for (const reader of [...this.readers]) {
      try {
        reader(state);
      } catch (error) {
        // A reader's mistake is its own, and ends no login.
        queueMicrotask(() => { throw error; });
      }
    }
  }

  /** The first state that says more than that the server is asked.
   * @param {AbortSignal | undefined} signal
   * @returns {Promise<LoginState | null>} */
  news(signal) {
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      /** @type {(() => void) | undefined} */
      let stop;
      const read = (/** @type {LoginState | null} */ state) => {
        if (state?.code === "starting" || (!state && this.run)) return;
        isAnswered = true;
        stop?.();
        resolve(state);
      };
      stop = this.subscribe(read);
      if (isAnswered) stop();
      signal?.addEventListener("abort", () => (stop?.(), reject(signal.reason)), { once: true });
    });
  }

  /** The user begins another login. The former one is cancelled, because some e-IDs allow one at a time.
   * @param {Run} run */
  replace(run) {
    this.sleep();
    this.run = null;
    run.dispatch({ type: run.state.login?.isFinal ? "acknowledge" : "cancel" });
  }

  /** The login is over, and the storage has nothing of it.
   * @param {Run} run */
  forget(run) {
    this.channel?.postMessage({ forgot: run.record.id });
    this.run = null;
    this.sleep();
    this.remove(run.record.id);
    if (this.state?.code !== "failed") this.show(null);
  }

  // --- The page ---

  get languages() {
    const { window } = this.environment;
    return window?.navigator.languages ?? [];
  }

  /** @param {import("../index.js").LoginRequest} request */
  body(request) {
    const { window } = this.environment;
    const [agent, language] = [window?.navigator.userAgent ?? "", window?.document.documentElement.lang];
    const isIpad = /Macintosh/.test(agent) && (window?.navigator.maxTouchPoints ?? 0) > 1;
    const os = /Android/.test(agent) ? "android" : /iPhone|iPad|iPod/.test(agent) || isIpad ? "ios" : undefined;
    const locale = language || this.languages[0];
    const all = Object.entries({ app: this.configuration.app, platform: "web", os, locale, ...request });
    return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null).map(([name, value]) =>
      [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]));
  }

  /** Takes the return link out of the address bar, and leaves the page's own parameters. */
  cleanAddress() {
    const { history, location } = /** @type {Window} */ (this.environment.window);
    const url = new URL(location.href);
    for (const name of own) url.searchParams.delete(name);
    history.replaceState(history.state, "", url);
  }

  /** The page is shown, or the login begins. One window plays it: a duplicated tab has the same storage.
   * @param {import("./reducer.js").Event} event what to do when this window plays it */
  wake(event, steals = false) {
    const { window, locks } = this.environment;
    const { run } = this;
    if (!run) return Promise.resolve();
    this.listen();
    if (window && !this.deafen) {
      const hide = () => this.sleep(true);
      const show = (/** @type {PageTransitionEvent} */ { persisted }) => persisted && this.comeBack();
      const look = () => {
        if (window.document.visibilityState === "visible" && this.isHolding) this.run?.dispatch({ type: "foreground" });
      };
      window.addEventListener("pagehide", hide);
      window.addEventListener("pageshow", show);
      window.document.addEventListener("visibilitychange", look);
      this.deafen = () => {
        window.removeEventListener("pagehide", hide);
        window.removeEventListener("pageshow", show);
        window.document.removeEventListener("visibilitychange", look);
      };
    }
    if (this.isHolding) {
      run.dispatch(event);
      return Promise.resolve();
    }
    this.unlock?.();
    return new Promise((resolve) => {
      const play = () => {
        this.isHolding = true;
        resolve(undefined);
        run.dispatch(event);
        if (event.type !== "start" && event.type !== "killed") run.dispatch({ type: "foreground" });
      };
      if (!locks) return play();
      this.lock(run, locks, play, steals ? { steal: true } : { ifAvailable: true });
    });
  }

  /** @param {Run} run @param {LockManager} locks @param {() => void} play @param {LockOptions} options */
  lock(run, locks, play, options) {
    const waiting = new AbortController();
    let isLeft = false;
    /** @type {(() => void) | undefined} */
    let release;
    this.unlock = () => {
      isLeft = true;
      waiting.abort();
      release?.();
    };
    const lose = () => {
      this.isHolding = false;
      run.dispatch({ type: "background" });
      this.show({ ...makeState("in_other_window", { login: null }), reference: run.record.reference,
        message: messages.in_other_window });
      // When the other window is gone, this one goes on.
      this.lock(run, locks, play, {});
    };
    const own = options.steal || options.ifAvailable ? options : { signal: waiting.signal };
    locks.request(`${this.name} ${run.record.id}`, own, (lock) => {
      if (isLeft) return undefined;
      if (!lock) return void lose();
      const isHeld = new Promise((resolve) => (release = () => resolve(undefined)));
      play();
      return isHeld;
    }).catch((error) => {
      if (isLeft) return;
      // Another window has taken it, or this page may have no locks.
      if (release && error?.name === "AbortError") lose();
      else if (!release) play();
    });
  }

  /** The page goes away, or nobody waits any more. The login goes on when the page is back. */
  sleep(isListening = false) {
    if (this.isHolding && this.run?.isStarted) this.run.dispatch({ type: "background" });
    this.isHolding = false;
    this.unlock?.();
    this.unlock = null;
    this.channel?.close();
    this.channel = null;
    if (isListening) return;
    this.deafen?.();
    this.deafen = null;
  }

  /** The browser has kept the page while the user was elsewhere. Rule 5: that is a return without a link. */
  comeBack() {
    const { run } = this;
    if (run) this.wake({ type: run.isStarted ? "surface_closed" : "killed" });
  }

  // --- Other windows ---

  listen() {
    const { BroadcastChannel } = this.environment;
    if (this.channel || !BroadcastChannel) return;
    this.channel = new BroadcastChannel(this.name);
    this.channel.addEventListener("message", ({ data }) => this.hear(data));
  }

  /** @param {any} data */
  hear(data) {
    const { run } = this;
    if (!run) return;
    if (data?.forgot === run.record.id) {
      this.forget(run);
    } else if (typeof data?.link === "string" && this.isHolding && accepts(run.record, data.link)
      && loginIn(data.link) === run.record.login) {
      this.channel?.postMessage({ took: data.link });
      run.dispatch({ type: "link", link: data.link });
    }
  }

  /** Gives the link to the window that has its login. Whether there is one.
   * @param {string} link */
  async handOver(link) {
    const { BroadcastChannel } = this.environment;
    if (!BroadcastChannel) return false;
    const channel = new BroadcastChannel(this.name);
    const isTaken = await new Promise((resolve) => {
      channel.addEventListener("message", ({ data }) => data?.took === link && resolve(true));
      setTimeout(() => resolve(false), patience);
      channel.postMessage({ link });
    });
    channel.close();
    this.log("handed_over", null, { taken: isTaken });
    return isTaken;
  }

  // --- The storage ---

  get storage() {
    const storage = this.configuration.storage ?? this.environment.window?.sessionStorage;
    if (!storage) throw new Error("There is no storage.");
    return storage;
  }

  /** @param {SavedLogin} record */
  save(record) {
    this.storage.setItem(this.name, JSON.stringify(record));
  }

  /** @returns {SavedLogin | null} */
  load() {
    try {
      const record = JSON.parse(this.storage.getItem(this.name) ?? "null");
      const isWhole = /^[\w-]{43}$/.test(record?.secret) && record.request && typeof record.id === "string"
        && [record.opened, record.links, record.return_prefixes].every(Array.isArray);
      if (!isWhole) return null;
      if (record.login || Math.abs(Date.now() - record.started_at) < staleAfter) return record;
      this.remove(record.id);
    } catch {
      // No storage, no login.
    }
    return null;
  }

  /** A newer login may be in its place.
   * @param {string} id */
  remove(id) {
    try {
      if (JSON.parse(this.storage.getItem(this.name) ?? "null")?.id === id) this.storage.removeItem(this.name);
    } catch {
      // If it stays, the next load asks the server, which no longer has the login.
    }
  }

  /** @param {string} name @param {string | null} reference @param {Record<string, unknown>} attributes */
  log(name, reference, attributes = {}) {
    const known = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== null);
    try {
      this.configuration.log?.({
        name, reference, attributes: Object.fromEntries(known.map(([key, value]) => [key, String(value)])) });
    } catch {
      // A log is no part of a login.
    }
  }
}
