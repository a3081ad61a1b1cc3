// What a page does around the library, in the words of the login matrix: program.mjs SERVER FOLDER
import { webcrypto } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { connect } from "../../../Clients/JavaScript/src/client.js";

const [server, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const file = join(folder, "login.json");
const report = (name, more = {}) => process.stdout.write(`${JSON.stringify({ report: name, ...more })}\n`);

/** The storage of the tab. It outlives the process. */
const sessionStorage = {
  getItem() {
    try {
      return readFileSync(file, "utf8");
    } catch {
      return null;
    }
  },
  setItem(_, value) {
    try {
      writeFileSync(`${file}.new`, value);
      renameSync(`${file}.new`, file);
    } catch (error) {
      // The library says only that it could not store the login.
      console.error(error.message);
      throw error;
    }
  },
  removeItem: () => rmSync(file, { force: true }),
};

/** A window without locks and channels, since the tab is the only one. */
const window = Object.assign(new EventTarget(), {
  location: { href: "about:blank", assign() {} }, history: { replaceState() {} }, sessionStorage,
  document: Object.assign(new EventTarget(), { visibilityState: "visible", documentElement: { lang: "" } }),
  navigator: { userAgent: "", maxTouchPoints: 0, languages: ["en"] },
});
const tell = (type) => window.dispatchEvent(Object.assign(new Event(type), { persisted: true }));

const login = connect({ server }, { crypto: webcrypto, window });
const stored = () => JSON.parse(sessionStorage.getItem() ?? "null");
let mayBeOpen = true;

const show = ({ action, login: found }) => {
  switch (action?.action) {
    case "open_browser": case "resume_browser":
      mayBeOpen = true;
      return report("open", { action: action.action, url: action.url, surface: stored()?.request.surface });
    case "show_browser": return report("show");
    case "open_app": {
      const names = ["universal_link", "custom_scheme", "fallback", "store_url"];
      return report("open_app", { links: names.map((name) => action[name]).filter((link) => link) });
    }
    case "enter_code": return report("state", { state: "enter_code" });
    default: return report("state", { state: found ? "working" : "starting" });
  }
};

login.subscribe((state) => {
  switch (state?.code) {
    case undefined: return undefined;
    case "paused": case "retrying": return report("state", { state: state.code });
    case "wrong_code": return report("state", { state: state.code, tries_left: state.triesLeft });
    case "finished": {
      if (mayBeOpen) report("dismiss");
      mayBeOpen = false;
      const { status, reason, identity, proof, assertion, reference } = state.login;
      return report("result", {
        status, reason: reason?.code, subject: identity?.subject, proof, assertion: assertion !== null, reference });
    }
    case "failed": {
      const { code, problem, reference } = state.error;
      return report("failure", { code, problem: problem?.code, reference });
    }
    default: return show(state);
  }
});

const orders = {
  start: ({ provider, platform, surface, app }) => void login.logIn({ provider, platform, surface, app }).catch(() => {}),
  link: ({ link }) => void login.resume({ link }),
  closed: () => tell("pageshow"),
  enter_code: ({ code }) => void login.enterCode(code),
  cancel: () => void login.cancel(),
  open_again: () => login.continueLogin(),
  background: () => tell("pagehide"),
  foreground: () => tell("pageshow"),
  acknowledge: () => void login.acknowledge(),
  logins: () => report("logins", { count: stored() ? 1 : 0 }),
};

void login.resume();
report("ready");
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const order = JSON.parse(line);
  if (!Object.hasOwn(orders, order.order)) throw new Error(`unknown order ${order.order}`);
  orders[order.order](order);
});
lines.on("close", () => process.exit());
