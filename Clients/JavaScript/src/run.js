// Runs one login: passes events to its reducer, and performs the effects, one event after the other.
import { begin, step } from "./reducer.js";

/**
 * @typedef {import("./reducer.js").SavedLogin} SavedLogin
 * @typedef {import("./reducer.js").Event} Event
 * @typedef {import("./reducer.js").Effect} Effect
 * @typedef {import("./reducer.js").Request} Request
 * @typedef {import("../index.js").LoginState} LoginState
 * @typedef {{ url: string, fetch: typeof fetch, headers: Record<string, string>,
 *   log: (name: string, reference: string | null, attributes?: Record<string, unknown>) => void,
 *   save: (record: SavedLogin) => void, show: (state: LoginState) => void, over: () => void }} Surroundings
 */

export class Run {
  /** @type {Event[]} */
  events = [];
  controller = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer = undefined;
  /** The call under way; settled when its response was read. */
  pending = Promise.resolve();
  isStarted = false;

  /** @param {SavedLogin} record @param {Surroundings} around */
  constructor(record, around) {
    this.state = begin(record);
    this.around = around;
  }

  get record() {
    return this.state.record;
  }

  /** Takes an event. A reader of states may send the next one meanwhile.
   * @param {Event} event */
  dispatch(event) {
    this.isStarted = true;
    this.events.push(event);
    if (this.events.length > 1) return;
    const wasOver = this.state.isOver;
    while (this.events.length) {
      const { state, effects } = step(this.state, this.events[0], performance.now(), Math.random());
      this.state = state;
      effects.every((effect) => this.perform(effect));
      this.events.shift();
    }
    if (wasOver || !this.state.isOver) return;
    clearTimeout(this.timer);
    this.around.over();
  }

  /** Resolves when the calls that wait have a response, or the first one has none. */
  async settled() {
    for (let pending = null; pending !== this.pending && !this.state.isOver && this.state.sent?.call.kind !== "poll";) {
      pending = this.pending;
      await pending;
    }
  }

  /** Whether the effects after this one may be performed.
   * @param {Effect} effect */
  perform({ type, record, number = 0, request, at = 0, state }) {
    const { around } = this;
    if (record) {
      try {
        around.save(record);
      } catch {
        around.log("not_stored", record.reference);
        if (type === "store") return true;
        this.events.push({ type: "store_failed" });
        return false;
      }
    } else if (request) {
      this.pending = this.send(number, request);
    } else if (type === "abort") {
      this.controller.abort();
    } else if (type === "timer") {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.dispatch({ type: "timer" }), at - performance.now());
    } else if (state) {
      around.show(state);
    }
    return true;
  }

  /** @param {number} number @param {Request} request */
  async send(number, { method, path, headers, body, timeout }) {
    const { around } = this;
    const call = this.state.sent?.call.kind;
    const controller = this.controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), timeout);
    /** @type {Event} */
    let event = { type: "no_response", number };
    try {
      const response = await around.fetch(around.url + path, {
        method, body, headers: { ...headers, ...around.headers }, signal: controller.signal, cache: "no-store",
        credentials: "omit", redirect: "manual", referrerPolicy: "no-referrer",
        // The page may go away meanwhile.
        keepalive: call === "cancel" || call === "delete",
      });
      event = { type: "response", number, response: {
        status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() } };
    } catch {
      // There is no connection, or no response in time.
    }
    clearTimeout(timer);
    // A page that is going away aborts its polls, which is no news.
    if (!controller.signal.aborted || event.response || this.state.sent?.number === number) {
      around.log("request", this.record.reference, { call, status: event.response?.status });
    }
    this.dispatch(event);
  }
}
