import HTTPWire
import Testing

/// What clients prefer and accept: Prefer, Accept-Language, Accept-Encoding, and the type of a body.
@Suite struct NegotiationTests {
    @Test(
        arguments: [
            (["wait=25"], 25), (["wait=0"], 0), (["Wait = 25"], 25), (["wait=\"25\""], 25),
            (["respond-async, wait=10"], 10),
            (["respond-async", "wait=10"], 10), (["wait=5, wait=10"], 5), (["wait=5;foo=bar"], 5),
            (["x=\"a, wait=1\", wait=2"], 2),
            (["wait=99999999999999999999"], Int.max), ([",, wait=3 ,"], 3), (["foo; bar, wait=4"], 4),
            ([], nil), ([""], nil), (["wait"], nil), (["wait="], nil), (["wait=\"\""], nil), (["wait=-1"], nil),
            (["wait=1.5"], nil),
            (["wait=x"], nil), (["waits=1"], nil), (["return=minimal"], nil), (["wait=1 2"], nil), (["=1"], nil),
            (["wait=\"1"], nil),
        ] as [([String], Int?)]) func `the wait of a preference is read`(_ values: [String], _ seconds: Int?)
    {
        #expect(Preference.wait(in: values) == seconds)
    }

    @Test func `preferences are listed in order`() {
        let list = Preference.list(["Respond-Async, wait=5; a=b", "return=\"minimal\", lenient=\"\""])
        #expect(list.map(\.name) == ["respond-async", "wait", "return", "lenient"])
        #expect(list.map(\.value) == [nil, "5", "minimal", nil])
    }

    @Test(arguments: [
        (["da-DK,da;q=0.9,en;q=0.8"], ["da-dk", "da", "en"]), (["en;q=0.5, da"], ["da", "en"]), (["*"], ["*"]),
        (["en;q=0, da"], ["da"]), (["a;q=0.3, b;q=0.3, c;q=0.31"], ["c", "a", "b"]), (["en", "da"], ["en", "da"]),
        (["zh-Hant-TW"], ["zh-hant-tw"]), (["en;q=1.000,da;q=0.001"], ["en", "da"]), (["en; q=0.5"], ["en"]),
        ([], []), ([""], []), (["en;q=2"], []), (["en;q=0.1234"], []), (["en;q=x"], []), (["en_US"], []),
        (["toolongtag"], []), (["en;q"], []), (["-"], []), (["en;q=1.001"], []), (["en;q=.5"], []),
    ]) func `languages are listed by their weight`(_ values: [String], _ ranges: [String]) {
        #expect(LanguageRange.list(values).map(\.range) == ranges)
    }

    @Test(arguments: [
        (["gzip"], true), (["GZIP"], true), (["x-gzip"], true), (["deflate, gzip;q=0.5, br"], true), (["*"], true),
        (["*;q=0.1"], true), (["br", "gzip"], true), (["identity, *;q=0, gzip"], true), (["gzip;q=1.000"], true),
        ([], false), ([""], false), (["identity"], false), (["gzip;q=0"], false), (["gzip;q=0.000"], false),
        (["gzip;q=0, *"], false), (["*;q=0"], false), (["br"], false), (["gzip;q=2"], false), (["gzip;;q=x"], false),
        (["gzi p"], false), (["not-gzip"], false),
    ]) func `gzip is accepted as the field says`(_ values: [String], _ isTaken: Bool) {
        #expect(ContentCoding.gzip.isAccepted(in: values) == isTaken)
    }

    /// A client must name a stream of events and prefer it at least as much as JSON.
    @Test(arguments: [
        (["text/event-stream"], true), (["Text/Event-Stream"], true), (["text/event-stream, */*"], true),
        (["text/event-stream, application/json"], true), (["application/json, text/event-stream"], true),
        (["text/event-stream;q=0.5, application/json;q=0.4"], true), (["text/event-stream;q=0.1"], true),
        (["text/event-stream;q=0.5, application/*;q=0.4, */*"], true), (["text/event-stream;charset=utf-8"], true),
        (["application/json;q=0", "text/event-stream;q=0.001"], true),
        ([], false), ([""], false), (["*/*"], false), (["text/*"], false), (["application/json"], false),
        (["text/event-stream;q=0"], false), (["text/event-stream;q=0.4, application/json;q=0.5"], false),
        (["text/event-stream;q=0.4, */*"], false), (["text/event-stream;q=2"], false),
        (["text/event-stream,,x"], false),
        (["event-stream"], false), (["text/event-stream x"], false),
    ]) func `events are preferred as the field says`(_ values: [String], _ isPreferred: Bool) {
        #expect(
            MediaRange.prefers("text/event-stream", to: "application/json", in: values) == isPreferred)
    }

    @Test(arguments: [
        (["text/html"], true), (["Text/HTML"], true), (["a/b, text/html;q=0"], true), (["a/b", "text/html"], true),
        (["text/text/html"], true), (["ttext/html"], true),
        ([], false), ([""], false), (["text/htm"], false), (["text/htmtext/htm"], false), (["*/*"], false),
        (["text/", "html"], false), (["tex\u{E9}/html"], false),
    ]) func `a mention of HTML is found`(_ values: [String], _ isMentioned: Bool) {
        #expect(MediaRange.isMentioned("text/html", in: values) == isMentioned)
    }

    @Test(arguments: [
        ([], true), (["gzip"], true), (["identity;q=0"], false), (["*;q=0"], false), (["gzip, *;q=0"], false),
    ])
    func `identity is accepted unless it is refused`(_ values: [String], _ isTaken: Bool) {
        #expect(ContentCoding.identity.isAccepted(in: values) == isTaken)
    }

    @Test(
        arguments: [
            ("application/json", "application/json", nil), ("Application/JSON", "application/json", nil),
            ("application/json; charset=utf-8", "application/json", "utf-8"),
            ("application/json;charset=\"UTF-8\"", "application/json", "utf-8"),
            ("text/html ; level=1 ; charset=iso-8859-1", "text/html", "iso-8859-1"),
            ("application/problem+json", "application/problem+json", nil), ("text/plain;", "text/plain", nil),
        ] as [(String, String, String?)]) func `a media type is read with its charset`(
            _ text: String, _ essence: String, _ charset: String?
        )
    {
        #expect(MediaType(text)?.essence == essence)
        #expect(MediaType(text)?.charset == charset)
    }

    @Test(arguments: [
        "", "json", "application/", "/json", "application/json, text/html", "application/json charset=utf-8",
        "application/json; charset", "application/json; charset=", "application/json; charset=\"utf-8", "a b/c",
        "a/b/c",
        "application/json; charset=utf-8; charset=utf-16", " application/json", "application /json",
    ]) func `what is no media type is refused`(_ text: String) { #expect(MediaType(text) == nil) }

    @Test(arguments: [
        ("application/json", true, false), ("application/json; charset=UTF-8", true, false),
        ("application/json; charset=utf-16", false, false), ("text/json", false, false),
        ("application/x-www-form-urlencoded", false, true),
        ("application/x-www-form-urlencoded;charset=utf-8", false, true),
        ("application/x-www-form-urlencoded;charset=latin1", false, false),
        ("multipart/form-data; boundary=x", false, false),
    ]) func `the types that we read are known`(_ text: String, _ isJSON: Bool, _ isForm: Bool) {
        #expect(MediaType(text)?.isJSON == isJSON)
        #expect(MediaType(text)?.isForm == isForm)
    }
}
