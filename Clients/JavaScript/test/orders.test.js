// Windows with the same login, in every order in which their browser may do what they ask for.
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { test } from "node:test";

import { connect } from "../src/client.js";
import { Server, origin } from "./stage.js";

const place = "switchback https://login.example shop";
const link = `${origin}/login/?login=L1&proof=p`;
const { setTimeout, clearTimeout } = globalThis;
const settled = () => new Promise((resume) => setImmediate(resume));

/** A browser whose every message, grant, response and short timer is a step of its own. Those of one queue keep their
 * order, and any queue may be late. A timer longer than the library's patience never rings. */
class Ordered {
  queues = new Map();
  names = [];
  tabs = [];
  server = new Server();
  /** The requests of each lock, as the browser has them. The first one has the lock. */
  locks = new Map();

  add(queue, run, tab) {
    if (!this.queues.get(queue)?.push({ run, tab })) this.queues.set(queue, [{ run, tab }]);
  }

  /** Performs steps until none is left. `choose` gets how many queues there are, and says which one is next. */
  async play(choose) {
    let timers = 0;
    globalThis.setTimeout = (act, delay = 0) => {
      timers += 1;
      const { tab } = this;
      if (delay <= 500) this.add(`${tab?.name}'s timer of ${delay}`, act, tab);
      return `ordered ${timers}`;
    };
    globalThis.clearTimeout = () => {};
    try {
      for (let steps = 0; ; steps += 1) {
        assert.ok(steps < 500, `it never ends: ${this.names.slice(-12).join("; ")}`);
        const names = [...this.queues.keys()];
        if (!names.length) return;
        const name = names[choose(names.length)];
        const queue = this.queues.get(name);
        const { run, tab } = queue.shift();
        if (!queue.length) this.queues.delete(name);
        if (tab?.isGone) continue;
        this.names.push(name);
        this.tab = tab;
        run();
        for (let turn = 0; turn < 4; turn += 1) await settled();
      }
    } finally {
      Object.assign(globalThis, { setTimeout, clearTimeout });
    }
  }

  /** A tab that has the login in its storage. */
  open(name, storage, address = `${origin}/login/`) {
    const tab = { name, storage: new Map(storage), states: [], address };
    const window = Object.assign(new EventTarget(), {
      location: { get href() { return tab.address; }, assign() {} },
      history: { replaceState: (_, __, url) => { tab.address = `${url}`; } },
      document: Object.assign(new EventTarget(), { documentElement: {} }),
      navigator: { languages: [] },
      sessionStorage: {
        getItem: (key) => tab.storage.get(key) ?? null,
        setItem: (key, value) => tab.storage.set(key, value),
        removeItem: (key) => tab.storage.delete(key),
      },
    });
    const fetch = async (...all) => {
      await new Promise((resume) => this.add(`${name}'s call`, resume, tab));
      const response = await this.server.fetch(...all);
      await new Promise((resume) => this.add(`${name}'s response`, resume, tab));
      all[1].signal.throwIfAborted();
      return response;
    };
    const client = connect({ server: "https://login.example", app: "shop", fetch },
      { crypto: webcrypto, window }, this.locksOf(tab), this.channelOf(tab));
    this.tabs.push(tab);
    client.subscribe((state) => {
      tab.states.push(state?.code ?? null);
      if (state?.code === "finished") client.acknowledge();
    });
    return Object.assign(tab, client, {
      does: (what) => this.add(`${name} itself`, what, tab),
      /** The page goes away, or the browser ends it. */
      hide: () => window.dispatchEvent(new Event("pagehide")),
      comeBack: () => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })),
      die: () => { tab.isGone = true; this.release(tab); },
    });
  }

  /** The first request gets the lock. */
  give(claims) {
    const [first] = claims;
    if (!first || first.isGiven) return;
    first.isGiven = true;
    const over = () => this.add("the browser's locks", () => {
      const at = claims.indexOf(first);
      if (at >= 0) claims.splice(at, 1);
      this.give(claims);
    });
    this.add(`${first.tab.name}'s lock`, () => Promise.resolve(first.callback({})).then(over), first.tab);
  }

  /** Whatever a tab held is free, because the tab has gone. */
  release(tab) {
    for (const claims of this.locks.values()) {
      for (const one of claims.filter((claim) => claim.tab === tab)) claims.splice(claims.indexOf(one), 1);
      this.give(claims);
    }
  }

  locksOf(tab) {
    return { request: (name, { signal, steal }, callback) => new Promise((_, reject) => {
      const claim = { tab, callback };
      signal?.addEventListener("abort", () => {
        reject(signal.reason);
        this.add("the browser's locks", () => {
          if (claim.isGiven) return;
          const claims = this.locks.get(name);
          if (claims.includes(claim)) claims.splice(claims.indexOf(claim), 1);
        });
      });
      this.add("the browser's locks", () => {
        if (tab.isGone) return;
        const claims = this.locks.get(name) ?? [];
        this.locks.set(name, claims);
        claim.reject = reject;
        if (steal && claims[0]?.isGiven) {
          const [holder] = claims.splice(0, 1);
          this.add(`${holder.tab.name}'s lock`, () => holder.reject(new Error("stolen")), holder.tab);
        }
        if (steal) claims.unshift(claim);
        else claims.push(claim);
        this.give(claims);
      });
    }) };
  }

  channelOf(tab) {
    const world = this;
    return class {
      constructor() {
        world.add("the browser's channels", () => tab.isGone || (tab.ears ??= new Set()).add(this));
      }
      postMessage(data) {
        world.add("the browser's channels", () => {
          for (const one of world.tabs.filter((other) => other !== tab)) {
            for (const ear of one.ears ?? []) {
              world.add(`${one.name}'s message`, () => ear.isClosed || ear.onmessage?.({ data }), one);
            }
          }
        });
      }
      close() {
        this.isClosed = true;
        world.add("the browser's channels", () => tab.ears?.delete(this));
      }
    };
  }
}

/** So many orders of each scenario are played; more by `ORDERS=1000 node --test test/orders.test.js`. */
const chances = Number(process.env.ORDERS ?? 40);
/** The same order each time for the same seed. */
const byChance = (seed) => {
  let state = seed * 2654435761 >>> 0 || 1;
  return (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % count;
  };
};

const record = () => ({
  id: 1.5, request: {}, secret: "A".repeat(43), login: "L1", reference: "K7QX-2M4P", cancelling: false,
  return_prefixes: [`${origin}/login/`], opened: ["https://login.example/go/1"], links: [],
});

const load = (tab) => tab.does(() => void tab.resume());
/** What the user does meanwhile, and how many windows have the login. */
const scenarios = {
  "the duplicate comes back with the link, and the first tab is loaded again": (first, second) => {
    second.address = link;
    load(second);
    load(first);
  },
  "the first tab ends while the duplicate waits": (first, second) => {
    load(first);
    load(second);
    first.does(() => void first.resume({ link }));
  },
  "both tabs come back with the link": (first, second) => {
    first.address = second.address = link;
    load(first);
    load(second);
  },
  "one of two duplicates ends it": (first, second, third) => {
    for (const one of [first, second, third]) load(one);
    third.does(() => void third.resume({ link }));
  },
  "the browser ends the tab that has the lock": (first, second, third) => {
    for (const one of [first, second, third]) load(one);
    first.does(() => first.die());
    second.does(() => void second.resume({ link }));
  },
  "the first tab is back from the cache": (first, second) => {
    load(first);
    load(second);
    first.does(() => first.hide());
    second.does(() => void second.resume({ link }));
    first.does(() => first.comeBack());
  },
  "the user gives up in the duplicate": (first, second) => {
    load(first);
    load(second);
    second.does(() => void second.cancel());
  },
};

/** Plays one order. */
const played = async (prepare, choose) => {
  const world = new Ordered();
  const login = { id: "L1", status: "pending", final: false, version: 1, reference: "K7QX-2M4P", expires_in: 600,
    return_prefixes: [`${origin}/login/`], poll: { wait: 25, interval: 1 },
    next: { action: "open_browser", url: "https://login.example/go/1" } };
  world.server.logins.set("L1", Object.defineProperties(login, {
    secret: { value: record().secret }, wakes: { value: new Set() } }));
  const storage = [[place, JSON.stringify(record())]];
  prepare(...["first", "second", "third"].map((name) => world.open(name, storage)));
  await world.play(choose);
  return world;
};

/** Every window has heard that the login is over, and nothing is left of it.
 * A window that the message did not reach has request the server, and says that the login is gone. */
const check = (world, what) => {
  const said = `${what}: ${world.tabs.map(({ name, states }) => `${name} ${states}`).join(", ")}`;
  for (const tab of world.tabs.filter((one) => !one.isGone && one.states.length > 1)) {
    assert.ok([null, "failed"].includes(tab.states.at(-1)), `${said}: ${world.names.join("; ")}`);
    assert.equal(tab.storage.size, 0, said);
    assert.equal(tab.ears?.size ?? 0, 0, `${said}: an open channel`);
  }
  for (const claims of world.locks.values()) assert.equal(claims.length, 0, `${said}: a lock that is held`);
};

for (const [what, prepare] of Object.entries(scenarios)) {
  test(`each window hears of the end in every order: ${what}`, { timeout: 600_000 }, async () => {
    for (let seed = 1; seed <= chances; seed += 1) check(await played(prepare, byChance(seed)), `${what}, ${seed}`);
  });
}
