// The login buttons.
import { meaning } from "./calls.js";
import { link, members, parsed, readProblem, text, textOrEmpty, texts } from "./reading.js";

/** @typedef {import("./reading.js").Response} Response */

/** Reads the list, with the names in the first of these languages; null if it is no list.
 * @param {string} body @param {readonly string[]} languages @returns {import("../index.js").Provider[] | null} */
const readProviders = (body, languages) => {
  const list = parsed(body).providers;
  /** Looks for each language with all its subtags, then for the first one alone. A phone may say `no` for Norwegian.
   * @param {any} names */
  const nameIn = (names) => languages.flatMap((tag) => [tag, tag.replace(/[-_].*/, "").replace(/^no$/, "nb")])
    .map((tag) => text(names[tag])).find((one) => one);
  return !Array.isArray(list) ? null : list.map(members).filter((json) => text(json.id)).map((json) => ({
    id: json.id, name: nameIn(members(json.names)) ?? text(json.name) ?? json.id, logo: link(json.logo),
    eid: textOrEmpty(json.eid), countries: texts(json.countries),
  }));
};

/** What a response says, or else what the last list said. `refused` is the server's word, and no list helps.
 * @param {Response | null} response @param {string} last @param {readonly string[]} languages
 * @returns {{ code: string, providers: import("../index.js").Provider[] | null,
 *   problem: import("../index.js").Problem | null, isNew: boolean }} */
export const answer = (response, last, languages) => {
  const providers = response?.status === 200 ? readProviders(response.body, languages) : null;
  const problem = response && readProblem(response);
  const code = response ? meaning("create", response.status, problem) : "no_response";
  return {
    code: code === "accept" ? "unexpected_response" : code, problem, isNew: providers !== null,
    providers: providers ?? (code === "refused" ? null : readProviders(last, languages)),
  };
};
