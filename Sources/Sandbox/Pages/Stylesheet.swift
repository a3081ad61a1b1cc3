/// The one stylesheet of the sandbox's pages: phone first, light and dark.
import Base
import Cryptography
import HTTPServer

enum Stylesheet {
    static let path = "/sandbox.css"

    static let file = StaticFile(
        bytes: Array(Self.text.utf8), hash: Base64URL.encode(Digest.sha256.hash(Array(Self.text.utf8))),
        contentType: "text/css; charset=utf-8", cacheControl: "max-age=3600")

    private static let text = """
        :root { color-scheme: light dark; scroll-padding-top: 8rem; --accent: #1f5f8b; --line: #8886; --soft: #8881; }
        @media (prefers-color-scheme: dark) { :root { --accent: #2a72a5; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: Canvas; color: CanvasText; font: 1.0625rem/1.5 system-ui, sans-serif; }
        main { max-width: 28rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
        h1 { font-size: 1.5rem; line-height: 1.2; margin: .5rem 0; }
        .badge { display: inline-block; margin: 0; padding: .1rem .6rem; border-radius: 1rem;
            background: #b3261e; color: #fff; font-size: .8125rem; }
        form + form { margin-top: .75rem; }
        fieldset { border: 0; margin: 1rem 0; padding: 0; }
        legend { padding: 0; margin-bottom: .25rem; font-weight: 600; }
        .person { display: flex; gap: .75rem; align-items: center; min-height: 3.25rem; padding: .4rem .75rem;
            border: 1px solid var(--line); border-radius: .6rem; margin-bottom: .4rem; }
        .person:has(:checked) { border-color: var(--accent); background: var(--soft); }
        .person small { display: block; opacity: .75; }
        input[type=radio] { width: 1.25rem; height: 1.25rem; accent-color: var(--accent); }
        details { margin: 1rem 0; }
        summary { cursor: pointer; padding: .6rem 0; }
        label { display: block; margin-top: .75rem; }
        label.person { margin-top: 0; }
        select, input[type=text], input[type=password], input:not([type]) { width: 100%; min-height: 3rem; font: inherit; padding: .6rem; margin-top: .25rem; }
        .buttons { display: grid; gap: .5rem; margin: 1.25rem 0; }
        button { font: inherit; line-height: 1.3; width: 100%; min-height: 3rem; padding: .6rem .75rem;
            border: 1px solid var(--line); border-radius: .6rem; background: transparent; color: inherit; cursor: pointer; }
        a.button { display: block; min-height: 3rem; padding: .7rem; border-radius: .6rem; text-align: center;
            background: var(--accent); color: #fff; font-weight: 600; text-decoration: none; }
        button.approve { background: var(--accent); border-color: var(--accent); color: #fff; font-weight: 600; }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        dt { font-size: .875rem; opacity: .75; }
        dd, code { margin: 0 0 .5rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.125rem; margin: 1.25rem 0 .25rem; }
        h1:focus { outline: none; }
        .buttons p, section > form { margin: 0; }
        .said { position: sticky; top: 0; z-index: 1; padding: .6rem .75rem; border-left: .25rem solid var(--accent);
            border-radius: .3rem; background: linear-gradient(var(--soft), var(--soft)), Canvas;
            box-shadow: 0 .5rem .5rem Canvas; }
        .said.bad { border-color: #b3261e; }
        .said:empty { padding: 0; border: 0; box-shadow: none; }
        [aria-busy] button { cursor: progress; }
        ul, ol { padding-left: 1.5rem; }
        li { margin-bottom: .75rem; }
        pre { margin: .25rem 0; font-size: .8125rem; white-space: pre-wrap; overflow-wrap: anywhere; }
        iframe { width: 100%; height: 4rem; border: 1px dashed var(--line); }

        """
}
