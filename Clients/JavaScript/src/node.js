// What a backend imports: the same without a window, and with the library's own User-Agent.
import { webcrypto } from "node:crypto";

import { connect } from "./client.js";
import { SwitchbackError } from "./error.js";
import { Channel, locks } from "./process.js";
import { version } from "./version.js";

export { SwitchbackError };

/** The server reads this form only.
 * @param {string | undefined} text */
const clean = (text) => (text ?? "").replace(/[^\w.+-]/g, "_").replace(/^[._+-]+/, "").slice(0, 128) || "unknown";

/** @param {import("../index.js").Configuration} configuration */
export const createSwitchback = (configuration) => {
  const { app, fetch: own } = configuration;
  const agent = `switchback-javascript/${version} (node ${process.versions.node}; ${clean(app)} unknown)`;
  return connect({
    ...configuration,
    fetch: (url, options) => (own ?? fetch)(url, { ...options, headers: { ...options?.headers, "User-Agent": agent } }),
  }, { crypto: /** @type {Crypto} */ (webcrypto) }, /** @type {any} */ (locks), /** @type {any} */ (Channel));
};
