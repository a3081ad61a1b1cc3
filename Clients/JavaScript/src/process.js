// What a browser has for its windows and Node has not, for the clients of one process: locks and channels.

/** @typedef {{ name: string, callback: () => unknown, fail: (error: Error) => void }} Claim */

/** The claims of each lock. The first one has it.
 * @type {Map<string, Claim[]>} */
const claims = new Map();

/** @param {Claim} claim */
const leave = ({ name, callback }) => {
  const rest = (claims.get(name) ?? []).filter((one) => one.callback !== callback);
  if (rest.length) claims.set(name, rest);
  else claims.delete(name);
  return rest;
};

/** @param {Claim} claim */
const hold = async (claim) => {
  await claim.callback();
  // Whoever lost it to another one has left before.
  if (claims.get(claim.name)?.[0] !== claim) return;
  const [next] = leave(claim);
  if (next) hold(next);
};

/** As `navigator.locks`, as far as the client needs it. */
export const locks = {
  /** @param {string} name @param {{ signal?: AbortSignal, steal?: boolean }} options @param {() => unknown} callback */
  request: (name, { signal, steal }, callback) => new Promise((_, fail) => {
    const claim = { name, callback, fail };
    const others = claims.get(name) ?? [];
    if (steal && others.length) {
      const [holder] = others;
      leave(holder);
      claims.set(name, [claim, ...(claims.get(name) ?? [])]);
      holder.fail(new Error("Another client of this process has the login now."));
    } else {
      claims.set(name, [...others, claim]);
    }
    if (claims.get(name)?.[0] === claim) hold(claim);
    signal?.addEventListener("abort", () => {
      if (claims.get(name)?.[0] !== claim) leave(claim);
    });
  }),
};

/** The open channels of each name.
 * @type {Map<string, Set<Channel>>} */
const channels = new Map();

/** As `BroadcastChannel`, as far as the client needs it. It holds no process up. */
export class Channel {
  /** @type {((message: { data: unknown }) => void) | null} */
  onmessage = null;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    channels.set(name, (channels.get(name) ?? new Set()).add(this));
  }

  /** @param {unknown} data */
  postMessage(data) {
    for (const one of channels.get(this.name) ?? []) if (one !== this) queueMicrotask(() => one.onmessage?.({ data }));
  }

  close() {
    this.onmessage = null;
    const others = channels.get(this.name);
    others?.delete(this);
    if (!others?.size) channels.delete(this.name);
  }
}
