// The small file does the same as the sources that it is made of. `build` makes it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createSwitchback } from "../dist/switchback.js";
import { origin, Server, until } from "./stage.js";

test("the small file logs in", async () => {
  // Node 18 has no such global by itself.
  const { webcrypto } = await import("node:crypto");
  globalThis.crypto ??= webcrypto;
  const server = new Server();
  const texts = new Map();
  const storage = {
    getItem: (name) => texts.get(name) ?? null, setItem: (name, text) => texts.set(name, text),
    removeItem: (name) => texts.delete(name),
  };
  const opened = [];
  const options = { server: "https://login.example", storage, fetch: server.fetch, open: (url) => opened.push(url) };
  const login = createSwitchback(options);
  server.faults.push({ kind: "create", isServed: true });
  login.logIn({ provider: "mitid" }).catch(() => {});
  await until("the page", () => opened.length === 1);
  const states = [];
  login.subscribe((state) => states.push(state?.code ?? null));
  await login.resume({ link: `${origin}/login/?login=L1&proof=p` });
  await until("the result", () => states.at(-1) === "finished");
  await login.acknowledge();
  assert.deepEqual([texts.size, server.logins.size, states.at(-1)], [0, 0, null]);
  server.faults.push({ kind: "create", response: server.problem(422, "unknown_provider") });
  await assert.rejects(login.logIn({ provider: "x" }), { code: "refused" });
});
