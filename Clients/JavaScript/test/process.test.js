// A backend may have several clients for the storage of one user, in one process.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { createSwitchback } from "../src/node.js";
import { Channel, locks } from "../src/process.js";
import { origin, Server, soon, until } from "./stage.js";

/** All clients of the tests. A login under way holds the process up, until nobody waits for it. */
const clients = [];
after(() => {
  for (const client of clients) {
    const ears = new AbortController();
    client.resume({ signal: ears.signal }).catch(() => {});
    ears.abort();
  }
});

/** A server, and clients of it with one storage. */
const backend = () => {
  const server = new Server();
  const texts = new Map();
  const storage = () => ({
    getItem: (name) => texts.get(name) ?? null, setItem: (name, text) => texts.set(name, text),
    removeItem: (name) => texts.delete(name),
  });
  const client = () => {
    const opened = [];
    const codes = [];
    const login = createSwitchback({ server: "https://login.example", storage: storage(), fetch: server.fetch,
      open: (url) => opened.push(url) });
    login.subscribe((state) => codes.push(state?.code ?? null));
    clients.push(login);
    return Object.assign(login, { opened, codes });
  };
  return { server, texts, client };
};
const begun = async (client) => {
  client.logIn({ provider: "mitid" }).catch(() => {});
  await until("the page", () => client.opened.length === 1);
};
const states = (...clients) => clients.map(({ codes }) => codes.at(-1));

test("one of two clients plays the login of their storage, and both forget it", async () => {
  const { client, texts, server } = backend();
  const [first, second] = [client(), client()];
  await begun(first);
  assert.equal((await second.resume()).code, "in_other_window");
  assert.equal(server.count("return"), 0);
  server.complete("L1");
  await until("the result", () => states(first)[0] === "finished");
  await first.acknowledge();
  await soon();
  assert.deepEqual([...states(first, second), texts.size, server.logins.size], [null, null, 0, 0]);
  await begun(second);
});

test("the client that gets the link takes the login from the other one", async () => {
  const { client, texts } = backend();
  const [first, second] = [client(), client()];
  await begun(first);
  second.resume({ link: `${origin}/login/?login=L1&proof=p` });
  await until("the result", () => states(second)[0] === "finished");
  await until("the loss", () => states(first)[0] === "in_other_window");
  await second.acknowledge();
  await soon();
  assert.deepEqual([...states(first, second), texts.size], [null, null, 0]);
});

test("a client goes on when the other one is no longer waited for", async () => {
  const { client, server } = backend();
  const [first, second] = [client(), client()];
  await begun(first);
  const ears = new AbortController();
  await first.resume({ signal: ears.signal });
  await second.resume();
  ears.abort();
  await until("the pause", () => states(second)[0] === "paused");
  assert.equal(server.count("return"), 1);
});

for (const trouble of ["nothing", "429"]) {
  test(`a process ends when nobody waits for its login, after ${trouble} went wrong`, async () => {
    const program = `
      import { createSwitchback } from "./src/node.js";
      import { Server, until } from "./test/stage.js";
      const server = new Server();
      const refusal = new Response("", { status: 429, headers: { "retry-after": "3600" } });
      const texts = new Map();
      const storage = { getItem: (name) => texts.get(name) ?? null, setItem: (name, text) => texts.set(name, text),
        removeItem: (name) => texts.delete(name) };
      let opened, state;
      const login = createSwitchback({ server: "https://login.example", storage, fetch: server.fetch,
        open: (url) => { opened = url; } });
      login.subscribe((one) => { state = one?.code; });
      login.logIn({ provider: "mitid" }).catch(() => {});
      await until("the page", () => opened);
      if ("${trouble}" === "429") {
        server.faults.push({ kind: "poll", response: refusal });
        server.change("L1", {});
        await until("the pause", () => state === "retrying");
      }
      const ears = new AbortController();
      await login.resume({ signal: ears.signal });
      ears.abort();
      console.log(state, texts.size);`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program],
      { cwd: new URL("..", import.meta.url), timeout: 60_000 });
    assert.equal(stdout, `${trouble === "429" ? "retrying" : "in_progress"} 1\n`);
  });
}

test("clients of two users know nothing of each other", async () => {
  const [one, other] = [backend(), backend()];
  const [first, second] = [one.client(), other.client()];
  await Promise.all([begun(first), begun(second)]);
  await first.cancel();
  await first.acknowledge();
  await soon();
  assert.deepEqual([...states(first, second), other.texts.size], [null, "in_progress", 1]);
});

test("a lock goes to those who wait for it, in their order, and a thief comes first", async () => {
  const order = [];
  const releases = {};
  const ask = (who, options = {}) => locks.request("one", options, () => {
    order.push(who);
    return new Promise((release) => (releases[who] = release));
  }).catch(() => order.push(`${who} lost it`));
  const ears = new AbortController();
  ask("a");
  ask("b");
  ask("c", { signal: ears.signal });
  ask("d");
  ears.abort();
  ask("e", { steal: true });
  await soon();
  assert.deepEqual(order, ["a", "e", "a lost it"]);
  releases.a();
  await soon();
  releases.e();
  await soon();
  releases.b();
  await soon();
  assert.deepEqual(order, ["a", "e", "a lost it", "b", "d"]);
  releases.d();
});

test("a channel hears others of its name, until it is closed", async () => {
  const heard = [];
  const [one, other, third] = [new Channel("x"), new Channel("x"), new Channel("y")];
  for (const channel of [one, other, third]) channel.onmessage = ({ data }) => heard.push([channel.name, data]);
  one.postMessage(1);
  await soon();
  other.close();
  one.postMessage(2);
  await soon();
  assert.deepEqual(heard, [["x", 1]]);
});
