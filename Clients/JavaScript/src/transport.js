// How requests are sent: without cookies, caches and referrers.

/** @param {string} server @param {typeof fetch | undefined} own @param {Record<string, string> | undefined} more
 * @param {import("./shelf.js").Note} note */
export const transport = (server, own, more, note) =>
  /** A response, or null if there is none in time.
   * @param {string | undefined} what @param {import("./calls.js").Request} request @param {AbortController} controller
   * @param {string | null} reference @returns {Promise<import("./reading.js").Response | null>} */
  async (what, { path, timeout, ...request }, controller, reference = null) => {
    const clock = setTimeout(() => controller.abort(), timeout);
    /** @type {number | undefined} */
    let status;
    try {
      const response = await (own ?? fetch)(server + path, {
        ...request, headers: { ...request.headers, ...more }, signal: controller.signal, cache: "no-store",
        credentials: "omit", redirect: "manual", referrerPolicy: "no-referrer",
        // The page may go away meanwhile.
        keepalive: what === "cancel" || what === "delete",
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
