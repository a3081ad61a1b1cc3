// The login buttons.
import { link, members, parsed, text, textOrEmpty, texts } from "./reading.js";

/** Reads the list, with its texts in the first of these languages; null if it is no list.
 * @param {string} body @param {readonly string[]} languages @returns {import("../index.js").Provider[] | null} */
export const readProviders = (body, languages) => {
  const list = parsed(body).providers;
  /** Looks for each language with all its subtags, then for the first one alone. A phone may say `no` for Norwegian.
   * @param {any} all @param {string[]} others */
  const textIn = (all, ...others) => [...languages, ...others]
    .flatMap((tag) => [tag, tag.replace(/[-_].*/, "").replace(/^no$/, "nb")])
    .map((tag) => text(all[tag])).find((one) => one);
  return !Array.isArray(list) ? null : list.map(members).filter((json) => text(json.id)).map((json) => {
    const notices = members(json.notices);
    return {
      id: json.id, name: textIn(members(json.names)) ?? text(json.name) ?? json.id, logo: link(json.logo) ?? null,
      eid: textOrEmpty(json.eid), countries: texts(json.countries),
      // An older server sends neither.
      isEnabled: json.enabled !== false, notice: textIn(notices, "en", ...Object.keys(notices).sort()) ?? null,
    };
  });
};
