// What a page does around the reducer: its storage, its address, its other windows, and how the user comes back.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { Browser, closeWindows, freeze, origin, soon, until } from "./stage.js";

const link = (id, more = "") => `${origin}/login/?${more}login=${id}&proof=p%20q`;
// A page that left looks after ten seconds whether it is still there, and the process waits for that.
after(closeWindows);

test("a login is stored before it is sent, and then leaves the page", async () => {
  const browser = new Browser();
  const { fetch } = browser.server;
  const page = browser.open(undefined, undefined, { configuration: { fetch: (...all) => {
    page.stored ??= page.storage.size;
    return fetch(...all);
  } } });
  page.logIn({ provider: "mitid", nonce: "n" }).catch(() => {});
  await until("the page", () => page.opened.length);
  assert.equal(page.stored, 1);
  assert.deepEqual(page.opened, ["https://login.example/go/1"]);
  const { poll_secret, ...body } = browser.server.calls[0].body;
  assert.match(poll_secret, /^[\w-]{43}$/);
  assert.deepEqual(body, { app: "shop", platform: "web", os: "android", locale: "da", provider: "mitid", nonce: "n" });
});

for (const without of ["storage", "room"]) {
  test(`without ${without} nothing is sent, and the error says so`, async () => {
    const browser = new Browser();
    const page = browser.open(undefined, undefined, { without: [without] });
    assert.equal(await page.resume(), null);
    await assert.rejects(page.logIn({ provider: "mitid" }), { code: "not_stored", reference: null });
    assert.deepEqual(page.codes(), [null, "failed"]);
    assert.equal(browser.server.calls.length, 0);
  });
}

const half = `{"secret":"${"A".repeat(43)}","request":{},"login":"L"}`;
for (const text of ["", "x", "null", "[]", "{}", '{"secret":1}', half]) {
  test(`a storage with ${text.slice(0, 30) || "an empty text"} has no login`, async () => {
    const browser = new Browser();
    const page = browser.open(undefined, new Map([["switchback https://login.example shop", text]]));
    assert.equal(await page.resume(), null);
    assert.equal(browser.server.calls.length, 0);
  });
}

test("the return link leaves the address bar before anything is sent, and is handed in byte for byte", async () => {
  const browser = new Browser();
  const page = await browser.back(await browser.begun(), `${link("L1", "tab=2&")}#top`);
  assert.equal(page.address, `${origin}/login/?tab=2#top`);
  assert.deepEqual(page.kept, { of: "the app" });
  const state = await page.resumed;
  assert.equal(state.code, "finished");
  assert.equal(state.login.identity.name, "Freja");
  const returns = browser.server.calls.filter((call) => call.kind === "return");
  assert.deepEqual(returns.map((call) => call.body), [{ url: `${link("L1", "tab=2&")}#top` }]);
  assert.ok(page.callsBefore <= browser.server.calls.indexOf(returns[0]));
});

test("a link survives a page that is closed before it is handed in", async () => {
  const browser = new Browser();
  const first = await browser.begun();
  browser.server.faults.push({ kind: "return" });
  const second = await browser.back(first, link("L1"));
  await until("the fault", () => second.codes().includes("retrying"));
  const third = await browser.back(second, `${origin}/login/`);
  assert.equal((await third.resumed).code, "finished");
});

test("a page that is loaded again without a link is paused, and continues when the user says so", async () => {
  const browser = new Browser();
  const page = await browser.back(await browser.begun(), `${origin}/login/`);
  assert.equal((await page.resumed).code, "paused");
  assert.deepEqual(browser.server.bodies("return"), [{ url: null }]);
  assert.deepEqual(page.opened, []);
  page.continueLogin();
  assert.deepEqual(page.opened, ["https://login.example/go/1"]);
});

test("polls are aborted when the page is hidden, and a page from the cache reports the return", async () => {
  const browser = new Browser();
  const page = await browser.kept();
  await until("a poll", () => browser.server.calls.at(-1).kind === "poll");
  const poll = browser.server.calls.at(-1);
  assert.ok(!poll.signal.aborted);
  const { length } = browser.server.calls;
  page.hide();
  assert.ok(poll.signal.aborted);
  await soon();
  assert.equal(browser.server.calls.length, length);
  assert.equal(browser.locks.held.size, 0);
  assert.equal(browser.channels.size, 0);
  page.comeBack();
  await until("another poll", () => browser.server.calls.length === length + 2);
  assert.deepEqual(browser.server.calls.slice(-2).map((call) => call.kind), ["return", "poll"]);
  page.comeBack(false);
  await soon();
  assert.equal(browser.server.count("return"), 2);
});

test("a page that becomes visible polls at once", async () => {
  const browser = new Browser();
  const page = await browser.kept();
  const headers = { "retry-after": "60" };
  browser.server.faults.push({ kind: "poll", response: new Response("", { status: 429, headers }) });
  browser.server.change("L1", {});
  await until("the pause", () => page.codes().at(-1) === "retrying");
  const polls = browser.server.count("poll");
  page.window.document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(browser.server.count("poll"), polls + 1);
});

for (const [action, count] of [["resume_browser", 0], ["open_app", 1]]) {
  test(`a page that opens ${action} has ${count} locks and calls, so that the browser can keep a page that goes`, async () => {
    const browser = new Browser();
    const page = await browser.kept();
    assert.equal(browser.locks.held.size, 1);
    browser.server.change("L1", { next: { action, url: "https://eid.example/", fallback: "https://eid.example/" } });
    await until("the page", () => page.opened.length === 2);
    await soon();
    assert.equal(browser.locks.held.size, count);
    assert.equal(browser.server.calls.filter((call) => call.kind === "poll").at(-1).signal.aborted, !count);
  });
}

test("a page that gets the login and opens its page at once keeps no lock of it", async () => {
  const browser = new Browser();
  const page = await browser.kept();
  const ears = new AbortController();
  await page.resume({ signal: ears.signal });
  ears.abort();
  page.continueLogin();
  await until("the page", () => page.opened.length === 2);
  await until("a free lock", () => !browser.locks.held.size);
});

test("a page that stays, because the user stopped the browser, goes on after ten seconds", async (t) => {
  const time = freeze(t);
  const browser = new Browser();
  const page = await browser.begun();
  browser.server.complete("L1");
  time.pass(9_999);
  await soon();
  assert.equal(page.codes().at(-1), "in_progress");
  time.pass(1);
  await until("the result", () => page.codes().at(-1) === "finished");
});

test("a page that says that its user is back reports the return", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  await page.resume({ isBack: true });
  await until("the pause", () => page.codes().at(-1) === "paused");
  assert.deepEqual(browser.server.bodies("return"), [{ url: null }]);
});

test("one window of a duplicated tab polls, and the other one goes on when that is gone", async () => {
  const browser = new Browser();
  const first = await browser.kept();
  const second = browser.open(undefined, new Map(first.storage));
  const state = await second.resume();
  assert.deepEqual([state.code, state.reference], ["in_other_window", "K7QX-2M4P"]);
  assert.match(state.message, /another window/);
  await soon();
  assert.equal(browser.server.count("return"), 1);
  first.hide(false);
  await until("the pause", () => second.codes().at(-1) === "paused");
});

test("a user who continues in the other window takes the login there", async () => {
  const browser = new Browser();
  const first = await browser.kept();
  const second = browser.open(undefined, new Map(first.storage));
  await second.resume();
  second.continueLogin();
  await until("the pause", () => second.codes().at(-1) === "paused");
  await until("the loss", () => first.codes().at(-1) === "in_other_window");
  await second.cancel();
  assert.equal(second.codes().at(-1), "finished");
  await second.acknowledge();
  await until("the end", () => first.codes().at(-1) === null);
  assert.equal(first.storage.size + second.storage.size, 0);
});

test("a window that lost the login sends nothing, whatever it had planned", async (t) => {
  const time = freeze(t);
  const browser = new Browser();
  const headers = { "retry-after": "1" };
  const first = await browser.kept();
  browser.server.faults.push({ kind: "poll", response: new Response("", { status: 503, headers }) });
  browser.server.change("L1", {});
  await until("the pause", () => first.codes().at(-1) === "retrying");
  const second = browser.open(undefined, new Map(first.storage));
  await Promise.all([second.resume(), soon().then(() => second.continueLogin())]);
  await until("the loss", () => first.codes().at(-1) === "in_other_window");
  const polls = browser.server.count("poll");
  time.pass(2100);
  await soon();
  assert.equal(browser.server.count("poll"), polls);
  assert.equal(first.codes().at(-1), "in_other_window");
});

for (const begins of [false, true]) {
  const what = begins ? "which begins another login at once, plays only that" : "says nothing of it afterwards";
  test(`a window that waits, and hears of the end of the login, ${what}`, async (t) => {
    const time = freeze(t);
    const browser = new Browser();
    const first = await browser.kept();
    const second = browser.open(undefined, new Map(first.storage));
    second.resume();
    let isThere = false;
    second.subscribe(() => {
      if (begins && isThere && !second.opened.length) second.logIn({ provider: "bankid" }).catch(() => {});
      isThere = false;
    });
    isThere = true;
    await soon();
    time.pass(450);
    await first.cancel();
    const ending = first.acknowledge();
    await until("the end", () => second.codes().length > 1);
    await ending;
    for (const milliseconds of [60, 60, 600]) {
      time.pass(milliseconds);
      await soon();
    }
    assert.ok(!second.codes().includes("in_other_window"), second.codes());
    assert.equal(second.codes().at(-1), begins ? "in_progress" : null);
    assert.equal(browser.locks.held.size, 0);
  });
}

test("messages that are none of the library's change nothing", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  const other = new browser.Channel();
  for (const data of [null, 1, "x", {}, { link: null }, { link: { x: 1 } }, { link: link("L2") }, { forgot: "x" },
    { link: "https://evil.example/?login=L1&proof=p" }]) other.postMessage(data);
  await soon();
  assert.deepEqual([page.codes().at(-1), browser.server.count("return")], ["in_progress", 0]);
});

for (const without of ["locks", "channels"]) {
  test(`a login works in a browser without ${without}`, async () => {
    const browser = new Browser();
    const page = await browser.begun({ without: [without] });
    page.hide(false);
    const next = browser.open(link("L1"), page.storage, { without: [without] });
    assert.equal((await next.resume()).code, "finished");
    await next.acknowledge();
    assert.equal(next.storage.size, 0);
  });
}

test("a link that came back in another tab is handed to the tab with the login", async () => {
  const browser = new Browser();
  const first = await browser.begun();
  const second = browser.open(link("L1"));
  const state = await second.resume();
  assert.deepEqual([state.code, second.address], ["handed_over", `${origin}/login/`]);
  assert.match(state.message, /where you began/);
  await until("the result", () => first.codes().at(-1) === "finished");
  assert.deepEqual(browser.server.calls.find((call) => call.kind === "return").body, { url: link("L1") });
  assert.deepEqual(second.codes(), [null, "handed_over"]);
});

const strangers = [
  ["no window has its login", async () => {}],
  ["the window has another login", (browser) => browser.begun()],
  ["the browser has no channels", () => {}, { without: ["channels"] }],
];
for (const [what, prepare, options] of strangers) {
  test(`a link says where to continue if ${what}`, async () => {
    const browser = new Browser();
    await prepare(browser);
    const page = browser.open(link("L9"), undefined, options);
    const state = await page.resume();
    assert.deepEqual([state.code, page.address, state.isFinal], ["elsewhere", `${origin}/login/`, false]);
    assert.match(state.message, /window where you began/);
    assert.equal(browser.server.count("return"), 0);
  });
}

test("a link of another login is not handed in by a page that has one", async () => {
  const browser = new Browser();
  const page = await browser.back(await browser.begun(), link("L9"));
  assert.equal((await page.resumed).code, "paused");
  assert.deepEqual(browser.server.bodies("return"), [{ url: null }]);
});

test("a router may hand in the link, and any other address of the app is none", async () => {
  const browser = new Browser();
  const page = browser.open(`${origin}/about`);
  assert.equal(await page.resume({ link: `${origin}/about` }), null);
  const begun = await browser.begun();
  assert.equal((await begun.resume({ link: link("L1") })).code, "in_progress");
  await until("the result", () => begun.codes().at(-1) === "finished");
});

test("a result comes again at each load until it is acknowledged", async () => {
  const browser = new Browser();
  let page = await browser.begun();
  browser.server.complete("L1");
  for (let load = 0; load < 2; load += 1) {
    page = await browser.back(page, `${origin}/login/`);
    assert.equal((await page.resumed).login.assertion, "a.b.c");
  }
  await page.acknowledge();
  assert.deepEqual([page.storage.size, browser.server.logins.size, page.codes().at(-1)], [0, 0, null]);
  assert.equal(await browser.open(undefined, page.storage).resume(), null);
});

test("an acknowledgement without a network is owed, and the next load sends it silently", async () => {
  const browser = new Browser();
  const page = await browser.kept();
  browser.server.complete("L1");
  await until("the result", () => page.codes().at(-1) === "finished");
  browser.server.faults.push({ kind: "delete" });
  await page.acknowledge();
  assert.equal(browser.server.logins.size, 1);
  const next = await browser.back(page, `${origin}/login/`);
  assert.equal(await next.resumed, null);
  await until("the end", () => browser.server.logins.size === 0 && next.storage.size === 0);
  assert.ok(next.codes().every((code) => code === null));
});

const lost = ["create", "poll", "return"].flatMap((kind) => [{ kind }, { kind, isServed: true }]);
for (const fault of lost) {
  const what = `${fault.kind} whose ${fault.isServed ? "response" : "request"} is lost`;
  test(`a ${what} delays the login, and there is one login`, { timeout: 20_000 }, async () => {
    const browser = new Browser();
    browser.server.faults.push(fault);
    const page = await browser.begun();
    const next = await browser.back(page, link("L1"));
    await until("the result", () => next.codes().at(-1) === "finished");
    assert.equal(browser.server.logins.size, 1);
  });
}

test("the signal ends the waiting, and not the login", async () => {
  const browser = new Browser();
  const begun = await browser.begun();
  begun.hide(false);
  const ears = new AbortController();
  const page = browser.open(undefined, begun.storage);
  await page.resume({ signal: ears.signal });
  await until("a poll", () => browser.server.calls.at(-1).kind === "poll");
  ears.abort();
  assert.ok(browser.server.calls.at(-1).signal.aborted);
  await soon();
  assert.deepEqual([page.storage.size, browser.locks.held.size, browser.channels.size], [1, 0, 0]);
  const calls = browser.server.calls.length;
  page.comeBack();
  await soon();
  assert.equal(browser.server.calls.length, calls);
  await assert.rejects(page.resume({ signal: ears.signal }), { name: "AbortError" });
  await page.resume();
  await until("a poll", () => browser.server.calls.length > calls);
});

test("the user's own word ends the login, and the reason comes with the reference", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  await page.cancel();
  const state = page.states.at(-1);
  assert.deepEqual([state.code, state.login.reason.code, state.reference], ["finished", "app_cancelled", "K7QX-2M4P"]);
  const error = await page.failure;
  assert.deepEqual([error.code, error.reference], ["app_cancelled", "K7QX-2M4P"]);
});

test("a refused create is an error with the problem", async () => {
  const browser = new Browser();
  browser.server.faults.push({ kind: "create", response: browser.server.problem(422, "unknown_provider") });
  const page = browser.open();
  await assert.rejects(page.logIn({ provider: "x" }), (error) =>
    error instanceof Error && error.code === "refused" && error.problem.code === "unknown_provider");
  assert.equal(page.storage.size, 0);
  assert.equal(page.states.at(-1).error.problem.status, 422);
});

test("a lost login is an error with the reference", async () => {
  const browser = new Browser();
  const begun = await browser.begun();
  browser.server.logins.clear();
  const page = await browser.back(begun, `${origin}/login/`);
  const state = await page.resumed;
  assert.deepEqual([state.code, state.error.code, state.reference], ["failed", "unknown_login", "K7QX-2M4P"]);
  assert.equal(page.storage.size, 0);
});

test("the same request joins the login that is there, and another one replaces it", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  page.logIn({ provider: "mitid" }).catch(() => {});
  await until("the page again", () => page.opened.length === 2);
  assert.deepEqual([page.opened[1], browser.server.count("create")], [page.opened[0], 1]);
  page.logIn({ provider: "bankid" }).catch(() => {});
  await until("another page", () => page.opened.length === 3);
  assert.equal((await page.failure).code, "replaced");
  assert.equal(JSON.parse([...page.storage.values()][0]).login, "L2");
  page.hide(false);
  const next = browser.open(undefined, page.storage);
  next.logIn({ provider: "mitid" }).catch(() => {});
  await until("a third page", () => next.opened.length === 1);
  // The server hears which login each one replaces, and the former ones go on.
  const secrets = browser.server.bodies("create").map((body) => body.poll_secret);
  assert.deepEqual(browser.server.bodies("create").map((body) => body.replaces), [undefined, ...secrets.slice(0, 2)]);
  assert.equal(browser.server.count("cancel"), 0);
});

test("a login that is repeated replaces the same one with the same body", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  browser.server.faults.push({ kind: "create", isServed: true });
  page.logIn({ provider: "bankid" }).catch(() => {});
  await until("the response that is lost", () => page.codes().includes("retrying"));
  const loaded = await browser.back(page, `${origin}/login/`);
  await until("the pause", () => loaded.codes().includes("in_progress") || loaded.codes().includes("paused"));
  const [, second, third] = browser.server.bodies("create");
  assert.deepEqual(third, second);
  assert.ok(second.replaces);
});

test("a login that the user has given up without a network is cancelled after a reload, and opens nothing", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  browser.server.faults.push({ kind: "cancel" });
  page.cancel();
  await until("the wish in the storage", () => JSON.parse([...page.storage.values()][0]).cancelling);
  page.hide(false);
  const loaded = browser.open(undefined, page.storage);
  await loaded.resume();
  await until("the cancel", () => browser.server.logins.get("L1").status === "cancelled");
  assert.equal(loaded.opened.length, 0);
});

test("a login that the user has given up is not joined, also before the server has heard of it", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  browser.server.faults.push({ kind: "cancel" });
  page.cancel();
  await until("the cancel that is lost", () => browser.server.count("cancel") === 1);
  page.logIn({ provider: "mitid" }).catch(() => {});
  await until("a second login", () => browser.server.count("create") === 2);
  const [first, second] = browser.server.bodies("create");
  assert.equal(second.replaces, first.poll_secret);
  await until("the second cancel", () => browser.server.logins.get("L1").status === "cancelled");
});

test("a wrong code is asked for again", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  await page.enterCode("12 34");
  assert.deepEqual([page.states.at(-1).code, page.states.at(-1).triesLeft], ["wrong_code", 0]);
  assert.deepEqual(browser.server.calls.find((call) => call.kind === "return").body, { code: "12 34" });
});

test("links that would run a script are not opened", async () => {
  const browser = new Browser();
  const page = await browser.kept();
  for (const url of ["javascript:alert(1)", " JavaScript:alert(1)", "data:text/html,x", "java\nscript:alert(1)", "x"]) {
    browser.server.change("L1", { next: { action: "open_browser", url } });
    await until("the news", () => page.states.at(-1).login.version === browser.server.logins.get("L1").version);
    assert.equal(page.states.at(-1).login.next.action, "wait");
  }
  assert.equal(page.opened.length, 1);
  assert.ok(browser.log.some((event) => event.name === "unreadable_url"));
});

const apps = [
  [{ universal_link: "https://eid.example/x", custom_scheme: "eid:x" }, "https://eid.example/x"],
  [{ custom_scheme: "eid:x", fallback: "https://eid.example/f" }, "eid:x"],
  [{ fallback: "https://eid.example/f", store_url: "https://store.example/" }, "https://eid.example/f"],
  [{ store_url: "https://store.example/" }, "https://store.example/"],
];
for (const [members, opened] of apps) {
  test(`the e-ID's app is opened by ${Object.keys(members)[0]}, and a visible page reports the return`, async () => {
    const browser = new Browser();
    const page = await browser.kept();
    browser.server.change("L1", { next: { action: "open_app", ...members } });
    await until("the app", () => page.opened.length === 2);
    assert.equal(page.opened[1], opened);
    page.window.document.dispatchEvent(new Event("visibilitychange"));
    await until("the pause", () => page.codes().at(-1) === "paused");
  });
}

test("a reader gets the present state first, and its mistakes end nothing", async () => {
  const browser = new Browser();
  const page = await browser.kept();
  const errors = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => errors.push(error));
  const seen = [];
  const stop = page.subscribe((state) => seen.push(state.code));
  const stopThrowing = page.subscribe(() => { if (seen.length > 1) throw new Error("mine"); });
  assert.deepEqual(seen, ["paused"]);
  browser.server.change("L1", { status: "exchanging" });
  await until("the news", () => seen.length === 2);
  await soon();
  assert.deepEqual(errors.map((error) => error.message), ["mine"]);
  stopThrowing();
  stop();
  stop();
  browser.server.complete("L1");
  await until("the result", () => page.codes().at(-1) === "finished");
  assert.equal(seen.length, 2);
  process.removeAllListeners("uncaughtException");
  for (const one of listeners) process.on("uncaughtException", one);
});

test("a reader may begin another login at once", async () => {
  const browser = new Browser();
  const page = await browser.begun();
  let isDone = false;
  page.subscribe((state) => {
    if (state?.code !== "finished" || isDone) return;
    isDone = true;
    page.logIn({ provider: "bankid" }).catch(() => {});
  });
  await page.cancel();
  await until("the other login", () => page.opened.length === 2);
  await until("its poll", () => browser.server.calls.at(-1).kind === "poll" && browser.server.calls.at(-1).id === "L2");
});

test("the log has each request and state, and no secret", async () => {
  const browser = new Browser();
  const page = await browser.back(await browser.begun(), link("L1"));
  const secret = JSON.parse([...page.storage.values()][0]).secret;
  await page.resumed;
  await page.acknowledge();
  const text = JSON.stringify(browser.log);
  for (const word of [secret, "a.b.c", "Freja", "p%20q", "go/1"]) assert.ok(!text.includes(word), word);
  const calls = browser.log.filter((event) => event.name === "request").map((event) => event.attributes.call);
  for (const call of ["create", "return", "delete"]) assert.ok(calls.includes(call), call);
  const states = browser.log.filter((event) => event.name === "login_state").map((event) => event.attributes.state);
  for (const state of ["starting", "in_progress", "finished"]) assert.ok(states.includes(state), state);
  assert.ok(browser.log.some((event) => event.reference === "K7QX-2M4P"));
});

test("a log that throws ends nothing", async () => {
  const browser = new Browser();
  const page = await browser.begun({ configuration: { log: () => { throw new Error("log"); } } });
  assert.equal(page.opened.length, 1);
});

const providers = { providers: [
  { id: "mitid", name: "MitID", names: { da: "MitID (dansk)", en: "MitID" }, logo: "javascript:1", eid: "mitid",
    countries: ["DK", 1] },
  { id: "bankid_no", name: "BankID", names: { nb: "Norsk BankID", "sv-FI": "Finland" }, enabled: false,
    notices: { nb: "Tilbake i morgen.", en: "Back tomorrow." } },
  { id: "" }, 7,
] };
const names = [
  [["da-DK"], "MitID (dansk)", "BankID"], [["no-NO"], "MitID", "Norsk BankID"], [["no"], "MitID", "Norsk BankID"],
  [["sv-FI", "en"], "MitID", "Finland"], [["sv"], "MitID", "BankID"], [[], "MitID", "BankID"],
  [["constructor"], "MitID", "BankID"],
];
test("providers have their names in the first of the languages that they have", async () => {
  const browser = new Browser();
  browser.server.providers = providers;
  const page = browser.open();
  for (const [languages, ...expected] of names) {
    const list = await page.providers({ languages });
    assert.deepEqual(list.map((one) => one.name), expected, languages);
  }
  const [first] = await page.providers();
  assert.deepEqual(first, {
    id: "mitid", name: "MitID (dansk)", logo: null, eid: "mitid", countries: ["DK"], isEnabled: true, notice: null,
  });
  assert.deepEqual(browser.server.calls[0].search, "?app=shop");
  assert.deepEqual(browser.server.calls[1].headers["If-None-Match"], '"p"');
});

/** What the server says of a provider, the languages, and what the page has then. */
const offers = [
  [{}, ["da"], true, null], [{ enabled: true, notices: {} }, ["da"], true, null],
  [{ enabled: false }, ["da"], false, null], [{ enabled: "false", notices: 7 }, ["da"], true, null],
  [{ enabled: false, notices: { da: "Dansk", en: "English" } }, ["da-DK"], false, "Dansk"],
  [{ enabled: false, notices: { da: "Dansk", en: "English" } }, ["fi", "da"], false, "Dansk"],
  [{ enabled: false, notices: { da: "Dansk", en: "English" } }, ["fi"], false, "English"],
  [{ enabled: false, notices: { sv: "Svenska", da: "Dansk" } }, ["fi"], false, "Dansk"],
  [{ enabled: false, notices: { da: 7, sv: "", "pt-BR": "Texto" } }, [], false, "Texto"],
];
test("a provider that is switched off says so, in the words of the first language that there is", async () => {
  const browser = new Browser();
  const page = browser.open();
  for (const [members, languages, isEnabled, notice] of offers) {
    browser.server.providers = { providers: [{ id: "mitid", ...members }] };
    const [provider] = await page.providers({ languages });
    assert.deepEqual([provider.isEnabled, provider.notice], [isEnabled, notice], JSON.stringify([members, languages]));
  }
});

const noList = [
  ["no response", () => undefined, "no_response"],
  ["a hotel's page", () => new Response("<html>"), "unexpected_response"],
  ["a page that was not found", () => new Response("", { status: 404 }), "unexpected_response"],
  ["429", () => new Response("", { status: 429 }), "rate_limited"],
  ["503", () => new Response("", { status: 503 }), "service_unavailable"],
  ["304", () => new Response(null, { status: 304 }), "unexpected_response"],
];
for (const [what, response, code] of noList) {
  test(`instead of ${what} the last list of providers is given`, async () => {
    const browser = new Browser();
    browser.server.providers = providers;
    const page = browser.open();
    browser.server.faults.push({ kind: "providers", response: response() });
    await assert.rejects(page.providers(), { code });
    await page.providers();
    browser.server.faults.push({ kind: "providers", response: response() });
    assert.equal((await page.providers()).length, 2);
  });
}

test("a refused list of providers is an error, whatever the last list was", async () => {
  const browser = new Browser();
  browser.server.providers = providers;
  const page = browser.open();
  await page.providers();
  browser.server.faults.push({ kind: "providers", response: browser.server.problem(404, "unknown_app") });
  await assert.rejects(page.providers(), (error) => error.code === "refused" && error.status === 404);
});
