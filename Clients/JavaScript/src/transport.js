// How requests are sent: without cookies, caches and referrers.

/** @param {string} server @param {typeof fetch | undefined} own @param {import("./shelf.js").Note} note */
export const transport = (server, own, note) =>
  /** A response, or null if there is none in time.
   * @param {string | undefined} what @param {import("./calls.js").Request} request @param {AbortSignal} [signal]
   * @param {string} [reference] @returns {Promise<import("./reading.js").Response | null>} */
  async (what, { path, timeout, ...request }, signal, reference) => {
    const controller = new AbortController();
    const abort = () => controller.abort();
    const clock = setTimeout(abort, timeout);
    signal?.addEventListener("abort", abort);
    /** @type {number | undefined} */
    let status;
    try {
      const response = await (own ?? fetch)(server + path, {
        ...request, signal: controller.signal, cache: "no-store", credentials: "omit", redirect: "manual",
        referrerPolicy: "no-referrer",
        // The page may go away meanwhile.
        keepalive: /cancel|delete/.test(/** @type {string} */ (what)),
      });
      const body = await response.text();
      status = response.status;
      return { status, headers: Object.fromEntries(response.headers), body };
    } catch {
      return null;
    } finally {
      clearTimeout(clock);
      note("request", reference, { call: what, status });
    }
  };
