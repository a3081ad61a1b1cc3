"""A web page as the app: it calls the API from a browser, with a listed origin and with another one."""

import http.server
import threading

from visit import PATIENCE, PHONE, Visit, demand

# The script of the page: the five rules with fetch, without our library, and the events.
SCRIPT = """
window.states = [];
window.call = async (method, url, secret, body) => {
  const headers = secret ? { Authorization: `Bearer ${secret}` } : {};
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, json: text ? JSON.parse(text) : null,
           etag: answer.headers.get("ETag"), location: answer.headers.get("Location") };
};
window.watch = async (url, secret, last) => {
  const headers = { Accept: "text/event-stream", Authorization: `Bearer ${secret}` };
  if (last) headers["Last-Event-ID"] = last;
  const answer = await fetch(url, { headers, cache: "no-store" });
  if (!answer.body || answer.status !== 200) return answer.status;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    for (let end; (end = text.indexOf("\\n\\n")) >= 0; text = text.slice(end + 2))
      for (const line of text.slice(0, end).split("\\n"))
        if (line.startsWith("data: ")) window.states.push(JSON.parse(line.slice(6)));
  }
  return answer.status;
};
"""


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.partition("?")[0]
        found = self.server.files.get(path)
        self.send_response(404 if found is None else 200)
        kind = "text/javascript" if path.endswith(".js") else "text/html"
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.end_headers()
        self.wfile.write((found or "").encode())

    def log_message(self, *_):
        pass


FILES = {"/": f"<!doctype html><title>A page</title><script>{SCRIPT}</script>"}


class Origin:
    """Serves a page on its own port during the run."""

    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.server.files = FILES
        self.url = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Context:
    """Opens the page in a browser."""

    def __init__(self, stage, origin):
        self.context = stage.browser.new_context(viewport=PHONE)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.page.goto(origin.url + "/")

    def __enter__(self):
        return self.page

    def __exit__(self, *_):
        self.context.close()


def a_listed_page_runs_a_login(stage, _):
    api = stage.sandbox.public + "/v1/logins"
    with Context(stage, stage.listed) as page, Visit(stage) as visit:
        secret = page.evaluate(
            """() => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
                     .replaceAll("+", "-").replaceAll("/", "_").replace("=", "")""")
        stage.sandbox.secrets.add(secret)
        body = {"provider": stage.by_query, "app": "kiosk", "poll_secret": secret}
        created = page.evaluate("([url, body]) => call('POST', url, null, body)", [api, body])
        demand(created["status"] == 201, f"the create is {created['status']}")
        demand(created["etag"] == 'W/"1"' and created["location"], "ETag and Location cannot be read")
        login = f"{api}/{created['json']['id']}"
        page.evaluate("([url, secret]) => { window.watched = watch(url, secret) }", [login, secret])
        page.wait_for_function("states.length === 1 && states[0].status === 'pending'")
        tab = visit.open(created["json"]["next"]["url"])
        visit.decide(tab, person="freja")
        page.wait_for_function("states.length > 1 && states.at(-1).final")
        demand(page.evaluate("watched") == 200, "the stream does not end")
        last = page.evaluate("states.at(-1)")
        demand(last["status"] == "completed" and last["identity"]["name"] == "Freja Lindegaard", f"it is {last}")
        versions = [one["version"] for one in page.evaluate("states")]
        demand(versions == sorted(set(versions)), f"versions {versions}")
        again = page.evaluate("([url, secret, id]) => watch(url, secret, id)", [login, secret, str(versions[-1])])
        demand(again == 204, f"the final state again is {again}")
        early = page.evaluate("([url, secret]) => call('GET', url + '?token=x', secret)", [login, secret])
        demand(early["json"]["code"] == "secret_in_query", "a problem cannot be read")
        deleted = page.evaluate("([url, secret]) => call('DELETE', url, secret)", [login, secret])
        demand(deleted["status"] == 204, f"the DELETE is {deleted['status']}")


def a_listed_page_gets_its_user_back(stage, _):
    """In one tab: from the page to the e-ID, and back to the page without a tap, which hands the link in."""
    api = stage.sandbox.public + "/v1/logins"
    for provider in filter(None, (stage.by_query, stage.by_form_post)):
        with Context(stage, stage.listed) as page:
            body = {"provider": provider, "platform": "web"}
            created = page.evaluate("([url, body]) => call('POST', url, null, body)", [api, body])["json"]
            stage.sandbox.secrets.add(created["poll_secret"])
            page.evaluate("(secret) => sessionStorage.setItem('secret', secret)", created["poll_secret"])
            page.goto(created["next"]["url"])
            page.locator("input[name=person][value=freja]").check()
            page.get_by_role("button", name="Approve").click()
            page.wait_for_url(lambda url: url.startswith(f"{stage.listed.url}/?login={created['id']}&proof="))
            secret = page.evaluate("sessionStorage.getItem('secret')")
            demand(secret == created["poll_secret"], "the tab has lost its secret")
            login = f"{api}/{created['id']}"
            answer = page.evaluate(
                "([url, secret, link]) => call('POST', url + '/return', secret, { url: link })",
                [login, secret, page.url])
            demand(answer["status"] == 200, f"the return is {answer}")
            page.evaluate("([url, secret]) => { window.watched = watch(url, secret) }", [login, secret])
            page.wait_for_function("states.length > 0 && states.at(-1).final")
            last = page.evaluate("states.at(-1)")
            demand((last["status"], last.get("proof")) == ("completed", "page_link"), f"it is {last}")


def another_page_reads_nothing(stage, _):
    api = stage.sandbox.public + "/v1"
    with Context(stage, stage.unlisted) as page:
        tries = [("GET", f"{api}/providers", None), ("POST", f"{api}/logins", {"provider": stage.by_query})]
        for method, url, body in tries:
            try:
                found = page.evaluate("([method, url, body]) => call(method, url, null, body)", [method, url, body])
            except Exception as error:
                demand("Failed to fetch" in str(error), f"{method}: {error}")
            else:
                demand(False, f"{method} {url} can be read: {found}")


def nothing_but_the_api_is_read(stage, _):
    with Context(stage, stage.listed) as page:
        for path in ("/openapi.yaml", "/done/unknown", "/done/unknown/state", "/go/unknown", "/.well-known/jwks.json"):
            try:
                page.evaluate("(url) => fetch(url).then((answer) => answer.text())", stage.sandbox.public + path)
            except Exception as error:
                demand("Failed to fetch" in str(error), f"{path}: {error}")
            else:
                demand(False, f"{path} can be read")
