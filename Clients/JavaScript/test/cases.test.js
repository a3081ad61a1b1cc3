// The reducer behaves as every client does, and the reader of the cases notices what it does not know.
import assert from "node:assert/strict";
import { test } from "node:test";

import { allCases, differences, files, FormatError, readCases } from "./cases.js";

/** Cases that a page cannot have, each with the reason. Sessions are no part of this library. */
const skipped = new Map([
  ["the e-ID's app is opened by android_package, and a return without a link is reported",
    "a page opens links, and no packages"],
]);

const cases = allCases();
const logins = cases.filter((row) => row.reducer === "login");

test("the reducer of a login does what each case says", () => {
  const played = logins.filter((row) => !skipped.has(row.name));
  for (const row of played) assert.deepEqual(differences(row), [], `${row.file}: ${row.name}`);
  console.log(`${played.length} cases played, ${skipped.size} skipped`);
  assert.ok(played.length > 400);
});

test("each skipped case has a reason and is there", () => {
  for (const [name, reason] of skipped) {
    const row = logins.find((one) => one.name === name);
    assert.ok(reason && row, name);
    assert.notDeepEqual(differences(row), [], `${name} can be played`);
  }
});

test("every file has cases, and each case its own name", () => {
  assert.ok(files.every((file) => cases.some((row) => row.file === file)));
  assert.equal(new Set(cases.map((row) => `${row.file}: ${row.name}`)).size, cases.length);
});

const one = (step) => readCases({ reducer: "login", cases: [{ name: "n", rule: "r", steps: [step] }] }, "text")[0];

const wrong = [
  { event: "started" }, { effects: [] }, { event: "start", link: "x" }, { event: "start", efects: [] },
  { event: "start", effects: [{ call: "creat" }] }, { event: "start", effects: [{ call: "create", bdy: 1 }] },
  { event: "start", effects: [{ shows: "starting" }] }, { event: "response", response: {} }, { event: "timer" },
  { event: "no_response" }, { event: "no_response", to: 1 }, { event: "start", effects: [{ store: { lgin: "" } }] }, 1,
];
test("a step with a name that nobody knows fails", () => {
  for (const step of wrong) assert.throws(() => differences(one(step)), FormatError, JSON.stringify(step));
});

const effects = [{ must_store: {} }, { show: "starting" }, { call: "create" }];
const different = [
  [], effects.slice(1), [...effects, { show: "paused" }], [{ must_store: {} }, { show: "paused" }, { call: "create" }],
  [{ must_store: {} }, { show: "starting", because: "gone" }, { call: "create" }],
  [{ must_store: {} }, { show: "starting" }, { call: "create", timeout_ms: 1 }],
];
test("a case that says something else fails", () => {
  assert.deepEqual(differences(one({ event: "start", effects })), []);
  for (const other of different) assert.notDeepEqual(differences(one({ event: "start", effects: other })), []);
});

test("a file without cases or with other members fails", () => {
  const row = { name: "n", rule: "r", steps: [{ event: "start" }] };
  for (const json of [{}, { reducer: "login", cases: [] }, { reducer: "other", cases: [row] },
    { reducer: "login", needs: "x", cases: [row] }, { reducer: "login", cases: [{ ...row, rule: "" }] },
    { reducer: "login", cases: [{ ...row, step: [] }] },
    { reducer: "login", cases: [{ ...row, steps: ["$nothing"] }] }]) {
    assert.throws(() => readCases(json, "text"), FormatError, JSON.stringify(json));
  }
});
