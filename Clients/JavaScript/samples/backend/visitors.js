// The visitors of the site, in memory: a backend with more than one process keeps them in its database.

import { randomBytes } from "node:crypto";
import { createSwitchback } from "@switchback/web";

const visitors = new Map();
// So many visitors at once. The oldest one goes first.
const most = 10_000;

/** Returns the visitor of a cookie, or null. */
export function visitorOf(name) {
  return visitors.get(name) ?? null;
}

/** Returns a visitor with a new cookie. */
export function newVisitor(settings) {
  if (visitors.size >= most) visitors.delete(visitors.keys().next().value);
  return keep(new Visitor(settings));
}

/** Gives the visitor a new cookie, and returns it. */
export function renamed(visitor) {
  visitors.delete(visitor.name);
  visitor.isRenamed = true;
  return keep(visitor).name;
}

/** The visitor logs out. */
export function forget(visitor) {
  visitors.delete(visitor.name);
  visitor.user = null;
  visitor.changed();
}

function keep(visitor) {
  visitor.name = randomBytes(32).toString("base64url");
  visitors.set(visitor.name, visitor);
  return visitor;
}

/** A browser with our cookie: its login, and its user after that. */
class Visitor {
  constructor(settings) {
    this.name = "";
    this.version = 0;
    this.state = null;
    this.user = null;
    this.reason = null;
    this.isRenamed = false;
    this.waiting = new Set();
    this.stored = new Map();
    this.opens = () => {};
    const { stored } = this;
    const { server, app, apiKey } = settings;
    this.switchback = createSwitchback({
      server, app,
      storage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => stored.set(key, value),
        removeItem: (key) => stored.delete(key),
      },
      // With the key the response has also what is kept from pages, such as a national id.
      fetch: (url, options) => fetch(url, {
        ...options, headers: { ...options?.headers, ...(apiKey ? { "Api-Key": apiKey } : {}) },
      }),
      open: (url) => this.opens({ url }),
    });
    this.switchback.subscribe((state) => this.take(state));
  }

  /** The browser shows the page: it comes with a link, or without one (rule 5). */
  async comeBack(link) {
    await this.switchback.resume({ link, isBack: true });
  }

  take(state) {
    this.state = state;
    if (state?.code === "finished") {
      // The result comes from the server itself, over TLS, for a secret that only this process has.
      this.user = state.login.identity ?? this.user;
      this.reason = state.login.reason?.code ?? null;
      this.switchback.acknowledge().catch(() => {});
    }
    this.changed();
  }

  changed() {
    this.version += 1;
    for (const wake of this.waiting) wake();
  }

  /** Resolves with what the browser has to open. */
  logIn(provider) {
    return new Promise((resolve, reject) => {
      this.reason = null;
      this.opens = resolve;
      this.switchback.logIn({ provider }).catch(reject);
    });
  }

  /** The same; nothing if there is nothing to open. */
  continueLogin() {
    return new Promise((resolve) => {
      this.opens = resolve;
      setTimeout(resolve, 10_000).unref();
      this.switchback.continueLogin();
    });
  }

  /** Resolves at the next change, when the page has gone, or after so many milliseconds. */
  change(milliseconds, request) {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.waiting.add(done);
      request.socket.once("close", done);
    });
  }

  /** What the page gets: no secret, no assertion, and no id of the user. */
  shown() {
    const { state } = this;
    return {
      version: this.version, code: state?.code ?? "none", isFinal: state?.isFinal ?? true,
      action: state?.login?.next.action ?? null, triesLeft: state?.triesLeft ?? null,
      message: state?.message ?? null, reason: this.reason ?? state?.error?.code ?? null,
      reference: state?.reference ?? null, name: this.user?.name ?? null,
    };
  }
}
