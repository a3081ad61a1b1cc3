// The requests of the five rules, and what their responses mean.

/**
 * @typedef {import("../index.js").Problem} Problem
 * @typedef {{ kind: string, url?: string | null, code?: string }} Call
 * @typedef {{ path: string, headers: Record<string, string>, timeout: number, method?: string, body?: string }
 *   } Request
 */

/** What a response means: the first that fits the kind of the call, the status, and the problem's code if there is one.
 * Only Switchback itself can end a login or drop a link.
 * @type {Record<string, RegExp>} */
const meanings = {
  // A delete, which alone begins with a `d`, has responses of its own.
  accept: /^[^d]\w+,200|^create,201/,
  unchanged: /^poll,304/,
  no_response: /,,/,
  service_unavailable: /,(408|5)/,
  rate_limited: /,429/,
  // The login is deleted, or cannot be. The app has the result, so this is the end in any case.
  gone: /,410,gone$|^delete,(204|4(04,unknown_login|09,not_final|01,malformed_poll_secret)$)/,
  refused: /^create,4[0-2].,.|,40(0,secret_in_query|1,malformed_poll_secret)$/,
  unknown_login: /,404,unknown_login$/,
  wrong_code: /^return,422,wrong_code$/,
  // A request that is refused today is refused tomorrow, and must not block the polls.
  drop: /^(return|cancel),4[0-2].,.|^return,4(13|14|31)/,
  unexpected_response: /,/,
};

/** The name of what a response means.
 * @param {string} kind @param {number | undefined} status @param {Problem | null} problem */
export const meaning = (kind, status, problem) => /** @type {string} */ (
  Object.keys(meanings).find((name) => meanings[name].test(`${[kind, status, problem?.code]}`)));

/** `known` is the login as last reported.
 * @param {import("./state.js").SavedLogin} record @param {Call} call
 * @param {import("../index.js").Login | null} [known] @returns {Request | null} */
export const makeRequest = ({ login, request, secret, former }, { kind, url, code }, known) => {
  const isCreate = kind === "create";
  if (!login && !isCreate) return null;
  // The ETag is made from the body, because a proxy that compresses may change it. A final login is read anew, with an
  // assertion that is signed anew.
  const hold = kind === "poll" && known?.version && !known.final && known.poll.wait;
  const seconds = kind === "cancel" ? 5 : hold || 0;
  const body = isCreate ? { ...request, replaces: former, poll_secret: secret }
    : kind === "return" ? { url, code } : undefined;
  return {
    method: { poll: "GET", delete: "DELETE" }[kind] ?? "POST",
    path: ["/v1/logins", login, /return|cancel/.test(kind) && kind].filter((one) => one).join("/"),
    timeout: (20 + seconds) * 1000,
    headers: {
      Accept: "application/json",
      ...(!isCreate && { Authorization: `Bearer ${secret}` }),
      ...(body && { "Content-Type": "application/json" }),
      ...(seconds && { Prefer: `wait=${seconds}` }),
      // Without it the server would hold the poll until the login is final, so that poll gets the state at once.
      ...(hold && { "If-None-Match": `W/"${known.version}"` }),
    },
    body: JSON.stringify(body),
  };
};
