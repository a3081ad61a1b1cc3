/** An error that an app can decide by. */
export class SwitchbackError extends Error {
  /** @param {string} code
   * @param {{ problem?: import("../index.js").Problem | null, reference?: string | null, status?: number | null
   *   }} more */
  constructor(code, more = {}) {
    super(more.problem ? `${more.problem.code}: ${more.problem.detail}` : code);
    Object.assign(this, { problem: null, reference: null, status: null, ...more, code });
  }
}
