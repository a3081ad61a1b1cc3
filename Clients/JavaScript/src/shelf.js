// Where the tab keeps its login. A storage may be full, forbidden or absent.
import { attempt, parsed } from "./reading.js";

/**
 * @typedef {import("./state.js").SavedLogin} SavedLogin
 * @typedef {(event: string, reference?: string | null, attributes?: Record<string, unknown>) => void} Note
 */

/** @param {string} name @param {() => Pick<Storage, "getItem" | "setItem" | "removeItem"> | undefined} storage
 * @param {Note} note */
export const shelf = (name, storage, note) => ({
  /** The login, if it can be used.
   * @returns {SavedLogin | null} */
  load() {
    const record = parsed(attempt(() => storage()?.getItem(name)));
    const lists = [record.opened, record.links, record.return_prefixes];
    // After ten minutes without a response from the server the user no longer expects a browser.
    return (record.login || Math.abs(Date.now() - record.id) < 600_000)
      && /^[\w-]{43}$/.test(record.secret) && record.request && lists.every(Array.isArray) ? record : null;
  },

  /** @param {SavedLogin} record */
  save(record) {
    const isStored = attempt(() => {
      /** @type {Storage} */ (storage()).setItem(name, JSON.stringify(record));
      return true;
    });
    if (!isStored) note("not_stored", record.reference);
    return isStored;
  },

  /** If it stays, the next load asks the server, which no longer has the login. */
  remove: () => attempt(() => storage()?.removeItem(name)),
});
