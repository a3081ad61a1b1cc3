// How requests are sent: without cookies, caches and referrers.

/** @param {string} server @param {typeof fetch | undefined} own @param {import("./shelf.js").Note} note */
export const transport = (server, own, note) =>
  /** A response. It has no status if there was none in time.
   * @param {string | undefined} what @param {import("./calls.js").Request} request @param {AbortSignal} [signal]
   * @param {string} [reference] @returns {Promise<import("./reading.js").Response>} */
  async (what, { path, timeout, ...request }, signal, reference) => {
    const controller = new AbortController();
    const abort = () => controller.abort();
    const clock = setTimeout(abort, timeout);
    signal?.addEventListener("abort", abort);
    /** @type {import("./reading.js").Response} */
    const answer = { headers: {}, body: "" };
    try {
      const response = await (own ?? fetch)(server + path, {
        ...request, signal: controller.signal, cache: "no-store", credentials: "omit", redirect: "manual",
        referrerPolicy: "no-referrer",
        // The page may go away meanwhile.
        keepalive: /cancel|delete/.test(/** @type {string} */ (what)),
      });
      answer.body = await response.text();
      answer.headers = Object.fromEntries(response.headers);
      answer.status = response.status;
    } catch {
      // There is no network, or no time left.
    }
    clearTimeout(clock);
    note("request", reference, { call: what, status: answer.status });
    return answer;
  };
