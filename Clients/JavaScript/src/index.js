// What a page imports. Nothing happens until `createSwitchback` is called.
import { connect } from "./client.js";
import { SwitchbackError } from "./error.js";

export { SwitchbackError };

/** @param {import("../index.js").Configuration} configuration */
export const createSwitchback = (configuration) => connect(configuration, globalThis);
