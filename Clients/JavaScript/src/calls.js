// The requests of the five rules, and what their responses mean.

/**
 * @typedef {import("../index.js").Problem} Problem
 * @typedef {{ kind: string, url?: string | null, code?: string }} Call
 * @typedef {{ method: string, path: string, headers: Record<string, string>, body: string | null, timeout: number }
 *   } Request
 */

/** What a response means. Only Switchback itself can end a login or drop a link.
 * @param {string} kind @param {number} status @param {Problem | null} problem */
export const meaning = (kind, status, problem) => {
  const isOpen = /poll|return|cancel/.test(kind);
  const isRefusal = problem !== null && status >= 400 && status < 429;
  const word = `${status} ${problem?.code}`;
  const isGone = word === "410 gone";
  if (isOpen ? status === 200 : kind === "create" && (status === 200 || status === 201)) return "accept";
  if (kind === "poll" && status === 304) return "unchanged";
  if (kind === "delete") {
    // The login is deleted, or cannot be. The app has the result, so this is the end in any case.
    const isEnd = /^(404 unknown_login|409 not_final|401 malformed_poll_secret)$/.test(word);
    if (status === 204 || isGone || isEnd) return "wiped";
  }
  if (isOpen && word === "404 unknown_login") return "unknown_login";
  if (isGone) return "gone";
  if (isOpen && /^(400 secret_in_query|401 malformed_poll_secret)$/.test(word)) return "refused";
  if (kind === "return" && word === "422 wrong_code") return "wrong_code";
  if (status === 408 || (status >= 500 && status < 600)) return "service_unavailable";
  // A request that is refused today is refused tomorrow, and must not block the polls.
  if (/return|cancel/.test(kind) && isRefusal) return "drop";
  if (kind === "return" && /^(413|414|431) /.test(word)) return "drop";
  if (kind === "create" && isRefusal) return "refused";
  return status === 429 ? "rate_limited" : "unexpected_response";
};

/** @param {import("./reducer.js").SavedLogin} record @param {Call} call @param {string | null} validator @param {number} wait
 * @returns {Request | null} */
export const makeRequest = ({ login, request, secret }, { kind, url, code }, validator, wait) => {
  /** @param {string} method @param {string} path @param {Record<string, string>} [headers] @param {object} [body] */
  const make = (method, path, headers, body, seconds = 20) => ({
    method, path: `/v1/logins${path}`, timeout: seconds * 1000, body: body ? JSON.stringify(body) : null,
    headers: { Accept: "application/json", ...headers, ...(body && { "Content-Type": "application/json" }) },
  });
  if (kind === "create") return make("POST", "", {}, { ...request, poll_secret: secret });
  if (!login) return null;
  const path = `/${login}`;
  const bearer = { Authorization: `Bearer ${secret}` };
  if (kind === "return") return make("POST", `${path}/return`, bearer, code === undefined ? { url } : { code });
  if (kind === "cancel") return make("POST", `${path}/cancel`, { ...bearer, Prefer: "wait=5" }, undefined, 25);
  if (kind === "delete") return make("DELETE", path, bearer);
  // Without a validator the server would hold the poll until the login is final. This one gets the state at once.
  if (!validator || !wait) return make("GET", path, bearer);
  return make("GET", path, { ...bearer, Prefer: `wait=${wait}`, "If-None-Match": validator }, undefined, wait + 20);
};
