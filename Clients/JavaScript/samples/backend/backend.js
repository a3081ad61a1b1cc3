// A backend for frontend: node backend.js [PORT] [SERVER]
//
// It keeps the poll secret, polls, and gets the result. The page has a cookie that no script can read. `API_KEY` is
// `apps.*.api_key` of the server's configuration, if the app has one.

import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { bodyOf, printReport, sendFile } from "../files.js";
import { forget, newVisitor, renamed, visitorOf } from "./visitors.js";

const [port = "3000", server = "http://127.0.0.1:8080"] = process.argv.slice(2);
// What the address bar of the browser shows. With https the cookie is for this host only, and never sent without TLS.
const origin = process.env.ORIGIN ?? `http://localhost:${port}`;
const isSecure = origin.startsWith("https:");
const cookie = isSecure ? "__Host-visitor" : "visitor";
const pages = fileURLToPath(new URL("public", import.meta.url));
const settings = { server, app: "demo", apiKey: process.env.API_KEY };

/** Paths that the page calls with POST, each with what it does for a visitor. */
const actions = {
  "/login": (visitor, body) => visitor.logIn(body.provider),
  "/login/back": (visitor) => visitor.comeBack(),
  "/login/code": (visitor, body) => visitor.switchback.enterCode(String(body.code)),
  "/login/continue": (visitor) => visitor.continueLogin(),
  "/login/cancel": (visitor) => visitor.switchback.cancel(),
  "/logout": (visitor) => forget(visitor),
};

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, origin);
  const visitor = visitorOf(cookieOf(request));
  if (request.method === "POST" && pathname === "/broken-policy") return printReport(request, response);
  if (request.method === "POST" && pathname in actions) return act(request, response, visitor, actions[pathname]);
  if (request.method !== "GET") return send(response, 405, { code: "method_not_allowed" });
  if (pathname === "/login") return tell(request, response, visitor, Number(searchParams.get("after") ?? -1));
  if (searchParams.has("login")) return takeLink(request, response, visitor);
  return sendFile(request, response, pages, "");
}

async function act(request, response, visitor, action) {
  // The cookie is sent with requests that another page makes. `Origin` tells them apart.
  if (request.headers.origin !== origin) return send(response, 403, { code: "another_origin" });
  if (!request.headers["content-type"]?.startsWith("application/json")) return send(response, 415, { code: "no_json" });
  // Only a login makes a visitor.
  if (!visitor && action !== actions["/login"]) return send(response, 200, {});
  const current = visitor ?? newVisitor(settings);
  try {
    const result = await action(current, JSON.parse(await bodyOf(request)));
    send(response, 200, result?.url ? { url: result.url } : {}, visitor ? null : current.name);
  } catch (error) {
    // A provider that is switched off has words for the user.
    const answer = { code: error.code ?? "refused", notice: error.problem?.notice };
    send(response, 400, answer, visitor ? null : current.name);
  }
}

/** Answers when the visitor's state is newer than the one that the page has, or after 20 seconds. */
async function tell(request, response, visitor, after) {
  if (!visitor) return send(response, 200, { version: 0, code: "none", isFinal: true });
  if (visitor.version <= after) await visitor.change(20_000, request);
  // After a login the cookie has another name: one that somebody planted in this browser before is worth nothing.
  const name = visitor.user && !visitor.isRenamed ? renamed(visitor) : null;
  return send(response, 200, visitor.shown(), name);
}

/** The browser comes back. Whose login it is says the cookie, and never the link: a link can be sent to anybody. */
async function takeLink(request, response, visitor) {
  if (visitor) await visitor.comeBack(origin + request.url);
  // The link leaves the address bar before the page loads.
  response.writeHead(303, { Location: visitor ? "/" : "/#elsewhere", "Referrer-Policy": "no-referrer" }).end();
}

function cookieOf(request) {
  const found = (request.headers.cookie ?? "").split("; ").find((one) => one.startsWith(`${cookie}=`));
  return found?.slice(cookie.length + 1);
}

function send(response, status, body, name = null) {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  if (name) headers["Set-Cookie"] = `${cookie}=${name}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  response.writeHead(status, headers).end(JSON.stringify(body));
}

createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error.message);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
}).listen(Number(port), "127.0.0.1", () => console.log(`listening on ${origin}/`));
