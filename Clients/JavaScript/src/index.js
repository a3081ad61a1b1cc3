// What a page imports. Nothing happens until `createSwitchback` is called.
import { Client, SwitchbackError } from "./client.js";

export { SwitchbackError };

/** @param {import("../index.js").Configuration} configuration @returns {import("../index.js").Switchback} */
export const createSwitchback = (configuration) => new Client(configuration, {
  crypto: globalThis.crypto,
  // Browsers say who they are, and the server lets pages set no User-Agent.
  headers: {},
  window: typeof window === "undefined" ? undefined : window,
  locks: globalThis.navigator?.locks,
  BroadcastChannel: typeof window === "undefined" ? undefined : globalThis.BroadcastChannel,
});
