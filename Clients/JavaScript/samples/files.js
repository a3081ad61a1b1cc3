// Serves the files of a sample, and the library below /switchback/, with the headers that a login page should have.

import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const library = fileURLToPath(new URL("../src", import.meta.url));
const types = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
};

/** The headers of every response. `api` is the Switchback server, if pages call it themselves. */
export function headers(api) {
  const policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", `img-src 'self' ${api}`, `connect-src 'self' ${api}`,
    "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types 'none'", "report-uri /broken-policy",
  ];
  return {
    "Content-Security-Policy": policy.join("; "), "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
    // Not no-store: the browser could not go back to the page as it was.
    "Cache-Control": "no-cache",
  };
}

/** Sends a file of the folder or of the library, or the folder's index.html for a path that names no file. */
export async function sendFile(request, response, folder, api, edit = (text) => text) {
  const { pathname } = new URL(request.url, "http://localhost");
  const isLibrary = pathname.startsWith("/switchback/");
  const name = isLibrary ? pathname.slice("/switchback/".length) : extname(pathname) ? pathname : "index.html";
  const type = types[extname(name)];
  let text = null;
  if (type && /^[\w/.-]+$/.test(name) && !name.includes("..")) {
    text = await readFile(join(isLibrary ? library : folder, name), "utf8").catch(() => null);
  }
  response.writeHead(text === null ? 404 : 200, { ...headers(api), "Content-Type": type ?? types[".html"] });
  response.end(text === null ? "Not found" : edit(text));
}

/** Reads a body of at most 16 KB. */
export async function bodyOf(request) {
  let text = "";
  for await (const part of request.setEncoding("utf8")) {
    text += part;
    if (text.length > 16_384) throw new Error("The body is too long.");
  }
  return text;
}

/** Prints what a browser reports about the policy, such as a script that it did not run. */
export async function printReport(request, response) {
  console.log(`broken policy: ${(await bodyOf(request)).replaceAll(/\s+/g, " ")}`);
  response.writeHead(204).end();
}
