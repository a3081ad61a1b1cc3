// What each response means: one row for every status and code of the contract.
import assert from "node:assert/strict";
import { test } from "node:test";

import { makeRequest, meaning } from "../src/calls.js";
import { newRecord } from "../src/state.js";

const open = ["poll", "return", "cancel"];
const all = ["create", ...open, "delete"];
/** Calls, status, code of the problem (null is no problem of the server's), and what it means. */
const rows = [
  [["create"], 200, null, "accept"], [["create"], 201, null, "accept"], [open, 200, null, "accept"],
  [[...open, "delete"], 201, null, "unexpected_response"], [["delete"], 200, null, "unexpected_response"],
  [["poll"], 304, null, "unchanged"], [["create", "return", "cancel", "delete"], 304, null, "unexpected_response"],
  [["delete"], 204, null, "gone"], [["create", ...open], 204, null, "unexpected_response"],
  [["delete"], 404, "unknown_login", "gone"], [["delete"], 410, "gone", "gone"],
  [["delete"], 409, "not_final", "gone"], [["delete"], 401, "malformed_poll_secret", "gone"],
  [["delete"], 400, "unknown_login", "unexpected_response"], [["delete"], 404, null, "unexpected_response"],
  [open, 404, "unknown_login", "unknown_login"], [["create", ...open], 410, "gone", "gone"],
  [open, 400, "secret_in_query", "refused"], [open, 401, "malformed_poll_secret", "refused"],
  [["create"], 401, "malformed_poll_secret", "refused"], [["create"], 404, "unknown_login", "refused"],
  [["return"], 422, "wrong_code", "wrong_code"], [["cancel"], 422, "wrong_code", "drop"],
  [["create"], 422, "wrong_code", "refused"], [["poll"], 422, "wrong_code", "unexpected_response"],
  [["return", "cancel"], 400, "malformed_json", "drop"], [["return", "cancel"], 428, "x", "drop"],
  [["create"], 422, "unknown_provider", "refused"], [["create", ...open], 400, null, "unexpected_response"],
  [["return"], 413, null, "drop"], [["return"], 414, null, "drop"], [["return"], 431, null, "drop"],
  [["create", "poll", "cancel"], 431, null, "unexpected_response"], [all, 408, null, "service_unavailable"],
  [all, 408, "x", "service_unavailable"], [all, 429, null, "rate_limited"], [all, 429, "x", "rate_limited"],
  [all, 500, null, "service_unavailable"], [all, 599, "x", "service_unavailable"],
  [all, 600, null, "unexpected_response"], [all, 302, null, "unexpected_response"], [all, 0, null, "unexpected_response"],
  [all, undefined, null, "no_response"],
  [open, 404, null, "unexpected_response"], [open, 410, null, "unexpected_response"],
];

test("each response means what its row says", () => {
  for (const [kinds, status, code, expected] of rows) {
    for (const kind of kinds) {
      const problem = code === null ? null
        : { status, code, detail: "", member: null, tries_left: null, request_id: null, notice: null };
      assert.equal(meaning(kind, status, problem), expected, `${kind} ${status} ${code}`);
    }
  }
});

test("no request has the secret in its path, and only the create has it in its body", () => {
  const secret = "S".repeat(43);
  const record = { ...newRecord({ request: { provider: "mitid" }, secret, id: 0 }), login: "L1" };
  for (const kind of all) {
    const request = makeRequest(record, { kind, url: "https://shop.example/" });
    assert.ok(!request.path.includes(secret));
    assert.equal(request.body?.includes(secret) ?? false, kind === "create");
    assert.equal(request.headers.Authorization, kind === "create" ? undefined : `Bearer ${secret}`);
  }
  assert.equal(makeRequest({ ...record, login: null }, { kind: "poll" }), null);
});
