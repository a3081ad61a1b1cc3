// Reads Clients/cases, and plays them. A name that it does not know is a mistake in the case, or in this reader.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

import { step } from "../src/reducer.js";
import { begin, newRecord } from "../src/state.js";

const own = new URL("../cases/", import.meta.url);
const folder = existsSync(own) ? own : new URL("../../cases/", import.meta.url);
const readJSON = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

/** Why a case cannot be played. */
export class FormatError extends Error {}

const check = (json, known) => {
  if (!json || typeof json !== "object" || Array.isArray(json)) throw new FormatError(`${JSON.stringify(json)}`);
  const unknown = Object.keys(json).filter((name) => !known.includes(name));
  if (unknown.length) throw new FormatError(`unknown member ${unknown} of ${JSON.stringify(json)}`);
};

export const given = readJSON("given.json");
check(given, ["server", "app", "poll_secret", "request", "login", "problem", "tokens", "pins", "calls", "values"]);

/** Puts the value in the place of its name: `"$go"`. */
const fill = (json) => {
  if (typeof json === "string" && json.startsWith("$")) {
    if (!Object.hasOwn(given.values, json.slice(1))) throw new FormatError(`given.json has no value ${json}`);
    return fill(given.values[json.slice(1)]);
  }
  if (Array.isArray(json)) return json.map(fill);
  if (json === null || typeof json !== "object") return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, fill(value)]));
};

/** Reads the text of a file, and returns its cases for logins. */
export const readCases = (json, file) => {
  check(json, ["reducer", "needs", "cases"]);
  if (![undefined, "maker_keys"].includes(json.needs)) throw new FormatError(`${file} needs ${json.needs}`);
  if (!["login", "session"].includes(json.reducer)) throw new FormatError(`${file} has no reducer`);
  if (!Array.isArray(json.cases) || !json.cases.length) throw new FormatError(`${file} has no cases`);
  return json.cases.map((one) => {
    check(one, ["name", "rule", "request", "saved", "steps"]);
    if (!one.name || !one.rule || !Array.isArray(one.steps) || !one.steps.length) {
      throw new FormatError(`${file}: a case has no name, rule or steps`);
    }
    return {
      file, name: one.name, reducer: json.reducer, request: { ...given.request, ...one.request },
      saved: one.saved && fill(one.saved), steps: one.steps.map(fill).flat(),
    };
  });
};

export const files = readdirSync(folder).filter((name) => name.endsWith(".json") && name !== "given.json").sort();
export const allCases = () => files.flatMap((file) => readCases(readJSON(file), file));

// --- What the library says, in the words of the cases ---

const isSaid = (value) => value !== null && value !== undefined && value !== false
  && !(Array.isArray(value) && !value.length);
/** A page opens everything in its own window, so it passes on nothing about other ones. */
const foreign = ["surfaces", "callback", "callback_scheme", "ephemeral", "android_packages", "android_package"];
const passedOn = (json) => json && Object.fromEntries(Object.entries(json).filter(([name]) => !foreign.includes(name)));
const said = (json) => Object.fromEntries(
  Object.entries(json).filter(([, value]) => isSaid(value)));

const loginWords = (login, now) => login && {
  id: login.id, status: login.status, final: login.final, version: login.version, app: login.app,
  provider: login.provider, reference: login.reference, expires_in: Math.round((login.expiresAt - now) / 1000),
  return_prefixes: login.return_prefixes,
  poll: { wait: login.poll.wait, interval: login.poll.interval, after_ms: login.poll.after_ms },
  next: said(login.next), hint: login.hint, assertion: login.assertion, proof: login.proof,
  identity: login.identity && said({
    subject: login.identity.subject, eid: login.identity.eid, name: login.identity.name,
    assurance: login.identity.assurance,
  }),
  reason: login.reason && { code: login.reason.code, retryable: login.reason.retryable },
};

const because = ({ trouble, error }) => {
  if (trouble) return trouble.status === undefined ? trouble.code : { [trouble.code]: trouble.status };
  if (!error?.problem) return error?.code;
  const { code, status, detail, member, request_id, notice } = error.problem;
  return { [error.code]: code, ...said({ status, detail, member, request_id, notice }) };
};

const stateWords = (state, now) => {
  const words = { show: state.code, do: state.action && said(state.action), tries_left: state.triesLeft,
    because: because(state), reference: state.error?.reference };
  const has = Object.entries(words).filter(([, value]) => value !== null && value !== undefined);
  return { ...Object.fromEntries(has), login: loginWords(state.login, now) };
};

const parts = ["login", "return_prefixes", "reference", "acknowledged", "cancelling", "opened", "links"];

/** Plays a case with the reducer of a login. */
class Player {
  now = 1_000_000;
  numbers = [];
  underWay = null;
  timer = null;
  create = null;

  constructor(row) {
    check(row.saved ?? {}, parts);
    this.row = row;
    const { replaces, ...request } = row.request;
    const own = { id: 0, request, secret: given.poll_secret, ...(replaces && { former: replaces }) };
    this.stored = { ...newRecord(own), ...row.saved };
    this.state = begin(this.stored);
  }

  /** What the case says, and what the reducer does. */
  play(json) {
    const event = this.event(json);
    const before = JSON.stringify(this.state);
    const { after, effects } = step(this.state, event, this.now, json.jitter ?? 0);
    const isValue = JSON.stringify(this.state) === before;
    this.state = after;
    const actual = effects.map((effect) => this.perform(effect));
    const expected = (json.effects ?? []).map((effect, index) => this.completed(effect, actual[index] ?? {}));
    return { expected, actual: isValue ? actual : ["the former state has changed"] };
  }

  event(json) {
    const members = {
      link: ["link"], code: ["code"], response: ["response", "to"], no_response: ["to"], killed: ["in_foreground"],
      start: [], store_failed: [], timer: [], foreground: [], background: [], surface_closed: [], cancel: [],
      open_again: [], refresh: [], acknowledge: [], abandon: [],
    };
    const type = json?.event;
    if (!Object.hasOwn(members, type)) throw new FormatError(`unknown event in ${JSON.stringify(json)}`);
    check(json, ["event", "after_ms", "jitter", "effects", ...members[type]]);
    this.now += json.after_ms ?? 0;
    switch (type) {
      case "link": case "code":
        if (typeof json[type] !== "string") throw new FormatError(`no ${type}: ${JSON.stringify(json)}`);
        return { kind: type, [type]: json[type] };
      case "killed":
        // The new page has only what was stored, and another clock.
        this.stored = JSON.parse(JSON.stringify(this.stored));
        this.state = begin(this.stored, json.in_foreground ?? true);
        [this.now, this.numbers, this.underWay, this.timer] = [50_000, [], null, null];
        return { kind: type };
      case "response": return { kind: type, number: this.number(json), answer: this.response(json.response) };
      case "no_response": return { kind: "response", number: this.number(json), answer: { headers: {}, body: "" } };
      case "timer":
        if (this.timer === null) throw new FormatError(`no timer is set: ${JSON.stringify(json)}`);
        this.now = Math.max(this.now, this.timer);
        this.timer = null;
        return { kind: type };
      default: return { kind: type };
    }
  }

  /** The number of the call that is answered: the one under way, or the one that the step names. */
  number({ to }) {
    const number = to === undefined ? this.underWay : this.numbers[to - 1];
    if (to === undefined) this.underWay = null;
    if (!number) throw new FormatError("no call is under way");
    return number;
  }

  response(json) {
    check(json, ["status", "headers", "login", "tokens", "without", "problem", "json", "html", "text"]);
    if (!Number.isInteger(json.status)) throw new FormatError("a response without a status");
    const headers = {};
    let body = "";
    if (json.login) {
      const login = { ...fill(given.login), ...json.login };
      for (const name of json.without ?? []) delete login[name];
      [headers["content-type"], body] = ["application/json", JSON.stringify(login)];
    } else if (json.problem) {
      const { status } = json;
      const problem = { ...given.problem, ...json.problem };
      [headers["content-type"], body] = ["application/problem+json", JSON.stringify({ ...problem, status })];
    } else if (json.json !== undefined) {
      [headers["content-type"], body] = ["application/json", JSON.stringify(json.json)];
    } else if (json.html !== undefined) {
      [headers["content-type"], body] = ["text/html", json.html];
    } else if (json.text !== undefined) {
      body = json.text;
    }
    for (const [name, value] of Object.entries(json.headers ?? {})) headers[name.toLowerCase()] = value;
    return { status: json.status, headers, body };
  }

  perform(effect) {
    switch (effect.kind) {
      case "must_store": case "store": {
        const changed = Object.keys(effect.record)
          .filter((name) => !isDeepStrictEqual(effect.record[name], this.stored[name]));
        this.stored = effect.record;
        return { [effect.kind]: Object.fromEntries(changed.map((name) => [name, effect.record[name]])) };
      }
      case "forget": return { forget: true };
      case "abort": {
        const isIt = effect.number === this.underWay;
        this.underWay = null;
        return isIt ? { abort: true } : "aborts another call";
      }
      case "timer":
        this.timer = effect.due;
        return { timer_ms: Math.round(effect.due - this.now) };
      case "show": return stateWords(effect.view, this.now);
      case "call": {
        const { method, path, headers, body, timeout } = effect.outgoing;
        if (this.underWay) return "a second call";
        if (path === "/v1/logins") {
          if (this.create !== null && this.create !== body) return "a repeated create has other bytes";
          this.create = body;
        }
        this.numbers.push(effect.number);
        this.underWay = effect.number;
        return { method, path, headers, ...(body === undefined ? {} : { body: JSON.parse(body) }), timeout_ms: timeout };
      }
      default: throw new FormatError(`unknown effect ${effect.kind}`);
    }
  }

  /** Fills in what the case leaves open: the call's usual members, and members of the login that it does not name. */
  completed(effect, actual) {
    if (effect?.call !== undefined) {
      check(effect, ["call", "headers", "body", "timeout_ms", "path"]);
      if (!Object.hasOwn(given.calls, effect.call)) throw new FormatError(`unknown call ${effect.call}`);
      const { call: name, ...more } = effect;
      const usual = fill(given.calls[name]);
      const body = name === "create" ? { body: { ...this.row.request, poll_secret: given.poll_secret } } : {};
      return { ...usual, ...body, ...more, headers: { ...usual.headers, ...effect.headers } };
    }
    check(effect, ["must_store", "store", "forget", "abort", "timer_ms", "show", "do", "because", "tries_left",
      "reference", "login"]);
    for (const name of ["must_store", "store"]) if (effect[name]) check(effect[name], parts);
    if (effect.show === undefined) return effect;
    const login = effect.login === undefined ? actual.login : effect.login && { ...actual.login, ...effect.login };
    const next = login?.next && { next: passedOn(login.next) };
    return { ...effect, ...(effect.do && { do: passedOn(effect.do) }), login: login ? { ...login, ...next } : null };
  }
}

/** Where the case and the reducer differ. */
export const differences = (row) => {
  const player = new Player(row);
  return row.steps.flatMap((json, index) => {
    const { expected, actual } = player.play(json);
    return isDeepStrictEqual(expected, actual) ? []
      : [`step ${index + 1}: expected ${JSON.stringify(expected)}, but it does ${JSON.stringify(actual)}`];
  });
};
