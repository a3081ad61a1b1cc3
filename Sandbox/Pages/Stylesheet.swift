import Base
import Cryptography
import HTTPServer

/// The one stylesheet of the sandbox's pages: phone first, light and dark.
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
        input:is([type=radio], [type=checkbox]) { width: 1.25rem; height: 1.25rem; accent-color: var(--accent); }
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
        button small { display: block; opacity: .75; }
        button.approve { background: var(--accent); border-color: var(--accent); color: #fff; font-weight: 600; }
        p > a:not(.button) { display: inline-block; padding: .65rem 0; }
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
        .workbench main { max-width: 82rem; }
        .bench { display: grid; gap: 1.5rem; }
        .phone { align-self: start; padding: 1rem; border: 1px solid var(--line); border-radius: 1.75rem; }
        .phone:focus { outline: none; }
        .phone details { margin: .25rem 0; }
        .phone h1 { overflow-wrap: anywhere; }
        .phone dl { display: grid; grid-template-columns: minmax(5rem, auto) minmax(0, 1fr); gap: .1rem .75rem;
            font-size: .9375rem; align-items: baseline; }
        .phone dd { margin: 0; }
        .states { display: grid; gap: .25rem; margin: .75rem 0; padding: 0; list-style: none; font-size: .875rem; }
        .states li { margin: 0; padding: .25rem .6rem; border-left: .25rem solid var(--line); }
        .states [aria-current] { border-color: var(--accent); background: var(--soft); font-weight: 600; }
        .advice { margin: 1rem 0; padding: .1rem .75rem; border-left: .25rem solid var(--line); background: var(--soft); }
        .advice h2 { font-size: 1rem; margin: .5rem 0 0; }
        .advice p { margin: .25rem 0 .5rem; }
        .breaks { padding: 0; list-style: none; }
        .tabs { min-width: 0; }
        .tabs nav ul { display: flex; flex-wrap: wrap; gap: 0 .25rem; margin: 0 0 1.25rem; padding: 0; list-style: none;
            border-bottom: 1px solid var(--line); }
        .tabs nav li { margin: 0 0 -1px; }
        .tabs nav a { display: block; padding: .6rem .75rem; border-bottom: 3px solid transparent; color: inherit;
            text-decoration: none; }
        .tabs nav a:hover { border-color: var(--line); }
        .tabs nav [aria-current] { border-color: var(--accent); font-weight: 600; }
        .panel h2 { margin-top: 0; }
        .panel h2 + p { margin-top: 0; }
        .panel p { max-width: 44rem; }
        .panel button { width: auto; }
        .panel > pre { padding: .75rem; border-radius: .3rem; background: var(--soft); }
        @supports selector(:has(a)) {
            .panel { display: none; }
            .panel:target, .tabs:not(:has(.panel:target)) > #timeline { display: block; } }
        .timeline ol { margin: 0; padding: 0; list-style: none; }
        .timeline li { margin: 0; border-bottom: 1px solid var(--line); }
        .timeline details { margin: 0; }
        .timeline summary { min-height: 2.75rem; padding: .4rem 0; }
        .panel h3 { margin: .75rem 0 0; font-size: .9375rem; }
        .timeline pre { padding: .5rem; border-radius: .3rem; background: var(--soft); }
        .lane-names { display: none; }
        .lanes { font-size: .8125rem; }
        .arrow { display: flex; flex-wrap: wrap; gap: 0 .75rem; justify-content: space-between; font-size: .875rem; }
        .arrow code { margin: 0; }
        .bad .status { color: #b3261e; font-weight: 600; }
        .held .status { font-weight: 600; }
        div.call { padding: 0 0 1rem; }
        @media (min-width: 60rem) {
            .bench { grid-template-columns: 23rem minmax(0, 1fr); gap: 2rem; }
            .phone { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; }
            .lane-names, .timeline summary { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); }
            .lane-names { position: sticky; top: 0; z-index: 1; padding: .5rem 0; background: Canvas; text-align: center;
                font-weight: 600; border-bottom: 2px solid var(--line); }
            #calls { --lane: transparent 0 calc(50% - 1px), var(--line) 0 50%, transparent 0;
                background: linear-gradient(90deg, var(--lane)) 0 0 / 25% 100%; }
            .timeline li { border: 0; }
            .lanes { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
            .arrow { position: relative; grid-row: 1; padding: .2rem .75rem; border-bottom: 2px solid var(--accent); }
            .arrow > * { padding: 0 .2rem; background: Canvas; }
            .arrow::after { content: ""; position: absolute; bottom: -.4rem; right: 0; border: .35rem solid transparent;
                border-left: .6rem solid var(--accent); border-right: 0; }
            .from-browser:not(.to-broker) .arrow::after { left: 0; right: auto; border-left: 0;
                border-right: .6rem solid var(--accent); }
            .from-app .arrow { grid-column: 1 / 3; margin: 0 25%; }
            .from-browser.to-switchback .arrow { grid-column: 2 / 4; margin: 0 25%; }
            .from-browser.to-broker .arrow { grid-column: 3 / 5; margin: 0 25%; }
            .from-switchback .arrow { grid-column: 2 / 5; margin: 0 16.67%; }
            .from-browser.to-app .arrow { grid-column: 1 / 4; margin: 0 16.67%; }
            .held .arrow { border-bottom-style: dashed; }
            div.call { position: relative; padding: .5rem 1rem 1rem; border: 1px solid var(--line); background: Canvas; }
        }
        @media (prefers-color-scheme: dark) { .bad .status { color: #ffb4ab; } }
        header { display: flex; gap: .75rem; align-items: center; }
        .sign { display: grid; place-items: center; flex: none; width: 2.75rem; height: 2.75rem;
            background: var(--accent); color: #fff; font-weight: 700; }
        body:not([class]) .sign, .sandbox .sign { border-radius: .6rem; }
        .mitid { --accent: #6d2e6b; }
        .mitid main { border-top: .6rem solid var(--accent); }
        .mitid .sign { border-radius: 0; }
        .mitid :is(.person, button) { border-radius: 0; }
        .mitid fieldset { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem; }
        .mitid legend { float: left; grid-column: 1 / -1; }
        .bankid-se { --accent: #1f6644; }
        .bankid-se main { text-align: center; }
        .bankid-se header { flex-direction: column; }
        .bankid-se .sign { width: 4.5rem; height: 4.5rem; border-radius: 50%; font-size: 1.5rem; }
        .bankid-se :is(.person, button) { border-radius: 2rem; }
        .bankid-se .person { justify-content: center; }
        .bankid-no { --accent: #8a4508; }
        .bankid-no main { border-left: .6rem solid var(--accent); min-height: 100vh; }
        .bankid-no .sign { clip-path: polygon(50% 0, 100% 50%, 50% 100%, 0 50%); width: 3.5rem; height: 3.5rem; }
        .bankid-no .person { border-width: 0 0 1px; border-radius: 0; }
        .vipps { --accent: #0d6069; background: var(--accent); }
        .vipps main { background: Canvas; border-radius: 1.5rem 1.5rem 0 0; margin-top: 3rem; min-height: calc(100vh - 3rem); }
        .vipps .sign { border-radius: 1.4rem 1.4rem 1.4rem 0; }
        .vipps :is(.person, button) { border-radius: 1.4rem; }
        .digid { --accent: #43429a; }
        .digid header { background: var(--accent); margin: -1.25rem -1rem 1rem; padding: 1rem; }
        .digid .sign { background: #fff; color: #43429a; clip-path: polygon(25% 0, 75% 0, 100% 50%, 75% 100%, 25% 100%, 0 50%);
            width: 3.25rem; }
        .digid h1 { border-bottom: 3px solid var(--accent); padding-bottom: .5rem; }
        .digid .person { border-width: 1px 1px 1px .4rem; }
        @media (prefers-color-scheme: dark) {
            .mitid { --accent: #8a4489; } .bankid-se { --accent: #2b7d56; } .bankid-no { --accent: #a3570f; }
            .vipps { --accent: #147480; } .digid { --accent: #5a59b5; } }
        iframe { width: 100%; height: 4rem; border: 1px dashed var(--line); }

        """
}
