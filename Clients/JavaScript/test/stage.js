// A server, windows with tabs' storages, locks and channels, all in this process.
import { webcrypto } from "node:crypto";

import { connect } from "../src/client.js";

export const origin = "https://shop.example";
const server = "https://login.example";

// The stage has its own timers, also while the time of the pages stands still.
const { setTimeout, clearTimeout } = globalThis;

/** The time of the pages, while it stands still. */
let frozen = null;

/** Time that stands still until the test lets it pass, with the timers that pages set meanwhile. */
class FrozenTime {
  now = performance.now();
  timers = new Map();
  count = 0;

  constructor(test) {
    globalThis.setTimeout = (act, delay = 0) => {
      this.count += 1;
      this.timers.set(`frozen ${this.count}`, { act, due: this.now + delay });
      return `frozen ${this.count}`;
    };
    globalThis.clearTimeout = (name) => this.timers.delete(name) || clearTimeout(name);
    Object.defineProperty(performance, "now", { value: () => this.now, configurable: true });
    frozen = this;
    test.after(() => {
      frozen = null;
      Object.assign(globalThis, { setTimeout, clearTimeout });
      delete performance.now;
    });
  }

  /** Lets time pass, and does what is due meanwhile, in its order. */
  pass(milliseconds) {
    const end = this.now + milliseconds;
    for (;;) {
      const [first] = [...this.timers].sort(([, one], [, other]) => one.due - other.due);
      if (!first || first[1].due > end) break;
      const [name, { act, due }] = first;
      this.timers.delete(name);
      this.now = Math.max(this.now, due);
      act();
    }
    this.now = end;
  }
}

/** Stops the time of the pages until the test ends. */
export const freeze = (test) => new FrozenTime(test);

/** Waits until something is true, and fails after two seconds. What pages do at once is done in frozen time, too. */
export const until = async (what, isTrue) => {
  for (let waited = 0; !isTrue(); waited += 5) {
    if (waited > 2000) throw new Error(`This never came: ${what}`);
    await new Promise((resume) => setTimeout(resume, 5));
    frozen?.pass(0);
  }
};
export const soon = () => new Promise((resume) => setTimeout(resume, 30));

/** Answers the calls of the five rules for one login at a time. */
export class Server {
  calls = [];
  logins = new Map();
  /** What happens to the next calls of a kind: `lost` (no response), or a response. */
  faults = [];
  prefixes = [`${origin}/login/`];

  json(login, status = 200) {
    const headers = { "content-type": "application/json", etag: `W/"${login.version}"` };
    return new Response(JSON.stringify(login), { status, headers });
  }

  problem(status, code) {
    const headers = { "content-type": "application/problem+json" };
    return new Response(JSON.stringify({ status, code, detail: "d" }), { status, headers });
  }

  change(id, members) {
    const login = this.logins.get(id);
    Object.assign(login, members, { version: login.version + 1 });
    for (const wake of login.wakes ?? []) wake();
  }

  complete(id) {
    this.change(id, { status: "completed", final: true, next: null, assertion: "a.b.c",
      identity: { subject: "s", eid: "mitid", name: "Freja", assurance: "high" } });
  }

  fetch = async (address, { method, body, headers, signal }) => {
    const { pathname, search } = new URL(address);
    const [, , , id, action] = pathname.split("/");
    const kind = pathname.endsWith("providers") ? "providers"
      : method === "DELETE" ? "delete" : action ?? (method === "POST" ? "create" : "poll");
    const call = { kind, id, search, headers, body: body && JSON.parse(body), signal };
    this.calls.push(call);
    const fault = this.faults.findIndex((one) => one.kind === kind);
    const [planned] = fault < 0 ? [] : this.faults.splice(fault, 1);
    if (planned && !planned.isServed) {
      if (planned.response) return planned.response;
      throw new TypeError("network");
    }
    const response = await this.answer(call);
    if (planned) throw new TypeError("network");
    return response;
  };

  async answer({ kind, id, body, headers, signal }) {
    if (kind === "providers") {
      return new Response(JSON.stringify(this.providers), { status: 200, headers: { etag: '"p"' } });
    }
    if (kind === "create") {
      const known = [...this.logins.values()].find((login) => login.secret === body.poll_secret);
      if (known) return this.json(known);
      const login = { id: `L${this.logins.size + 1}`, status: "pending", final: false, version: 1,
        reference: "K7QX-2M4P", expires_in: 600, return_prefixes: this.prefixes, poll: { wait: 25, interval: 1 },
        next: { action: "open_browser", url: `${server}/go/${this.logins.size + 1}` } };
      Object.defineProperty(login, "secret", { value: body.poll_secret });
      Object.defineProperty(login, "wakes", { value: new Set() });
      this.logins.set(login.id, login);
      return this.json(login, 201);
    }
    const login = this.logins.get(id);
    if (!login) return this.problem(404, "unknown_login");
    if (headers.Authorization !== `Bearer ${login.secret}`) return this.problem(404, "unknown_login");
    if (kind === "delete") return this.logins.delete(id) && new Response(null, { status: 204 });
    if (kind === "cancel") this.change(id, { status: "cancelled", final: true, reason: { code: "app_cancelled" } });
    if (kind === "return" && body.code) return this.problem(422, "wrong_code");
    if (kind === "return" && body.url && !login.final) this.complete(id);
    if (kind === "poll" && headers["If-None-Match"] === `W/"${login.version}"`) {
      signal.throwIfAborted();
      await new Promise((resolve, reject) => {
        login.wakes.add(resolve);
        signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      });
    }
    return this.json(login);
  }

  bodies(kind) {
    return this.calls.filter((call) => call.kind === kind).map((call) => call.body);
  }

  count(kind) {
    return this.calls.filter((call) => call.kind === kind).length;
  }
}

/** The locks of one origin. */
class Locks {
  held = new Map();

  async request(name, options, callback) {
    const owner = this.held.get(name);
    if (owner && options.ifAvailable) return callback(null);
    if (owner && options.steal) {
      owner.rejects(new DOMException("stolen", "AbortError"));
      this.held.delete(name);
    }
    while (this.held.has(name)) {
      options.signal?.throwIfAborted();
      await new Promise((resume) => setTimeout(resume, 5));
    }
    options.signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const own = { rejects: reject };
      this.held.set(name, own);
      Promise.resolve(callback({ name })).then((value) => {
        if (this.held.get(name) === own) this.held.delete(name);
        resolve(value);
      });
    });
  }
}

/** The channel of a browser that forbids storage. */
class Forbidden {
  constructor() {
    throw new DOMException("denied", "SecurityError");
  }
}

/** The windows that tests have opened. */
const windows = new Set();

/** Closes all windows, so that nothing holds the process up. */
export const closeWindows = () => {
  for (const page of windows) page.hide(false);
  windows.clear();
};

/** A browser: all windows of an origin. */
export class Browser {
  locks = new Locks();
  channels = new Set();
  server = new Server();
  log = [];

  get Channel() {
    const { channels } = this;
    return class {
      constructor() {
        channels.add(this);
      }

      postMessage(data) {
        for (const one of channels) if (one !== this) setTimeout(() => channels.has(one) && one.onmessage?.({ data }));
      }

      close() {
        channels.delete(this);
      }
    };
  }

  /** Opens a page. `storage` is the tab's own; `without` leaves something out. */
  open(address = `${origin}/login/`, storage = new Map(), { without = [], configuration = {} } = {}) {
    const window = new EventTarget();
    const state = { opened: [], states: [], address, storage, window };
    const sessionStorage = {
      getItem: (name) => storage.get(name) ?? null,
      setItem: (name, value) => void storage.set(name, value),
      removeItem: (name) => void storage.delete(name),
    };
    Object.assign(window, {
      location: { get href() { return state.address; }, assign: (url) => state.opened.push(url) },
      history: { state: { of: "the app" }, replaceState: (kept, _, url) => {
        state.address = String(url);
        state.kept = kept;
        state.callsBefore = this.server.calls.length;
      } },
      document: Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { lang: "da" } }),
      navigator: { userAgent: "Mozilla/5.0 (Linux; Android 14)", maxTouchPoints: 5, languages: ["da-DK", "en"] },
    });
    Object.defineProperty(window, "sessionStorage", {
      get() {
        if (without.includes("storage")) throw new DOMException("denied", "SecurityError");
        return sessionStorage;
      },
    });
    if (without.includes("room")) {
      sessionStorage.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
    }
    const login = connect(
      { server: `${server}/`, app: "shop", fetch: this.server.fetch, log: (event) => this.log.push(event),
        ...configuration },
      { crypto: webcrypto, window }, without.includes("locks") ? undefined : this.locks,
      without.includes("channels") ? undefined : without.includes("storage") ? Forbidden : this.Channel);
    login.subscribe((one) => state.states.push(one));
    windows.add(state);
    return Object.assign(state, login, {
      codes: () => state.states.map((one) => one?.code ?? null),
      hide: (persisted = true) => window.dispatchEvent(Object.assign(new Event("pagehide"), { persisted })),
      comeBack: (persisted = true) => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted })),
    });
  }

  /** A page that has begun a login, and has left for the browser's next page. */
  async begun(options) {
    const page = this.open(undefined, undefined, options);
    page.failure = page.logIn({ provider: "mitid" }).catch((error) => error);
    await until("the login's page", () => page.opened.length);
    return page;
  }

  /** A page that has begun a login, and whose user has gone back to it. It has the login's lock. */
  async kept(options) {
    const page = await this.begun(options);
    page.hide();
    page.comeBack();
    await until("the pause", () => page.codes().at(-1) === "paused");
    return page;
  }

  /** The tab goes away, and comes back with this address. */
  async back(page, address) {
    page.hide(false);
    const next = this.open(address, page.storage);
    next.resumed = next.resume();
    return next;
  }
}
