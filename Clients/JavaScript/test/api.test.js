// What the package gives away is what its declarations say, and importing it does nothing.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { webcrypto } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import * as node from "../src/node.js";
import { version } from "../src/version.js";

const here = new URL("../", import.meta.url);
const read = (name) => readFileSync(new URL(name, here), "utf8");
const declared = read("index.d.ts");
const manifest = JSON.parse(read("package.json"));

for (const [name, module] of [["page", await import("../src/index.js")], ["backend", node]]) {
  test(`a ${name} can import what is declared, and nothing else`, () => {
    const values = [...declared.matchAll(/^export (?:class|function|const) (\w+)/gm)].map(([, one]) => one);
    assert.deepEqual(Object.keys(module).sort(), values.sort());
  });

  test(`a ${name} can call what is declared, and nothing else`, () => {
    const [, body] = declared.match(/^export interface Switchback \{\n([^]*?)^\}/m);
    const methods = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, one]) => one);
    assert.deepEqual(Object.keys(module.createSwitchback({ server: "https://login.example" })).sort(), methods.sort());
  });
}

test("importing it does nothing, as a server that renders pages needs", () => {
  const names = ["fetch", "BroadcastChannel", "setTimeout", "setInterval", "sessionStorage", "addEventListener",
    "navigator", "document", "window", "location", "crypto"];
  const program = `
    for (const name of ${JSON.stringify(names)}) {
      Object.defineProperty(globalThis, name, { get() { throw new Error("reads " + name); } });
    }
    const { createSwitchback } = await import(${JSON.stringify(new URL("src/index.js", here).href)});
    if (typeof createSwitchback !== "function") throw new Error("no function");`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", program], { stdio: "pipe" });
});

test("a page without a browser has no login and no storage", async () => {
  const { createSwitchback } = await import("../src/index.js");
  // Node 18 has no such global by itself.
  globalThis.crypto ??= webcrypto;
  const login = createSwitchback({ server: "https://login.example", fetch: () => assert.fail("it sends") });
  assert.equal(await login.resume(), null);
  await login.acknowledge();
  await assert.rejects(login.logIn({ provider: "mitid" }), { code: "not_stored" });
});

const agents = [
  ["shop", "shop"], [undefined, "unknown"], ["", "unknown"], ["._x y/ø(1)", "x_y___1_"],
  ["a".repeat(200), "a".repeat(128)],
];
for (const [app, expected] of agents) {
  test(`a backend of the app ${String(app).slice(0, 12)} says who it is as the server reads it`, async () => {
    const headers = [];
    const fetch = async (_, options) => {
      headers.push(options.headers["User-Agent"]);
      return new Response(JSON.stringify({ providers: [] }), { status: 200 });
    };
    await node.createSwitchback({ server: "https://login.example", app, fetch }).providers();
    assert.deepEqual(headers, [
      `switchback-javascript/${version} (node ${process.versions.node}; ${expected} unknown)`]);
    assert.match(headers[0], /^switchback-\w{1,16}\/\w[\w.]{0,31} \(\w{1,16} \w[\w.]{0,31}; \w[\w.+-]{0,127} \w+\)$/);
  });
}

const sources = readdirSync(new URL("src/", here));
test("no source makes code or markup out of text, and none has a dependency", () => {
  assert.ok(sources.length > 5);
  for (const name of sources) {
    const text = read(`src/${name}`);
    assert.doesNotMatch(text, /(inner|outer)HTML|insertAdjacent|document\.write|\beval\b|new Function|createEl/, name);
    for (const [, from] of text.matchAll(/^(?:import|export) .*from "(.*)";$/gm)) {
      assert.ok(from.startsWith("./") || (name === "node.js" && from === "node:crypto"), `${name} imports ${from}`);
    }
  }
});

test("the package says what it is", () => {
  assert.equal(manifest.version, version);
  assert.deepEqual([manifest.name, manifest.type, manifest.sideEffects], ["@switchback/web", "module", false]);
  assert.equal(manifest.dependencies, undefined);
  for (const name of manifest.files) if (!/^(dist|src)$/.test(name)) assert.ok(read(name), name);
  const { ".": { types, node: backend, default: page } } = manifest.exports;
  for (const name of [types, backend, page, manifest.types]) assert.ok(read(name), name);
  assert.ok(read("CHANGELOG.md").includes(`## ${version}`));
});
