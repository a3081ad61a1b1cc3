// The outages, and the responses while they last.

import TestSupport

extension OutageRow {
    static let all = Self.ofTheStore + Self.ofTheBroker + Self.ofKeys + Self.ofTheClock

    private static let usual = (
        create: "201 `pending`", poll: "200 `pending`", result: "200 `completed`", open: "303 to the broker",
        callback: "303 to its page", page: "200 “You are logged in”", ready: "200 ok", end: "`completed`"
    )
    private static let refused = "503 `store_unavailable`, `Retry-After`"
    private static let unready = "503 the store cannot keep a login"
    private static let neutral = "404 “No login is in progress”"
    private static let wait = "503 “We cannot continue right now”, `Retry-After`"

    /// Returns a row with the usual response in each column that is not given.
    private static func row(
        _ name: String, _ outage: Outage, stores: [Store] = Store.allCases, create: String = usual.create,
        poll: String = usual.poll, result: String = usual.result, open: String = usual.open,
        callback: String = usual.callback, page: String = usual.page, ready: String = usual.ready,
        end: String = usual.end
    ) -> OutageRow {
        OutageRow(
            name: name, outage: outage, stores: stores, create: create, poll: poll, result: result, open: open,
            callback: callback, page: page, ready: ready, end: end)
    }

    /// Returns a row in which the store can be read but not written.
    private static func unwritable(_ name: String, _ outage: Outage, callback: String = Self.wait) -> OutageRow {
        Self.row(
            name, outage, stores: [.sqlite], create: Self.refused, open: Self.wait, callback: callback,
            ready: Self.unready)
    }

    private static func gone(_ name: String, _ outage: Outage) -> OutageRow {
        Self.row(
            name, outage, stores: [.postgresql], create: Self.refused, poll: Self.refused, result: Self.refused,
            open: Self.wait, callback: Self.wait, page: Self.wait, ready: Self.unready)
    }

    /// `OutageTests` makes this outage in another way: on the disk of a separate process.
    static let fullDisk = Self.unwritable("store: its disk is full", .byTheTest)

    private static let ofTheStore = [
        Self.fullDisk,
        Self.unwritable("store: its file is moved away", .movedStore),
        Self.unwritable(
            "store: the same, while a code is redeemed", .movedStoreInAnExchange, callback: usual.callback),
        Self.unwritable("store: another process holds it for long", .heldStore),
        Self.row("store: each write takes a third of a second", .slowStore, stores: [.sqlite]),
        Self.gone("store: its database is down", .databaseDown),
        Self.gone("store: its database goes down while a code is redeemed", .databaseDownInAnExchange),
        Self.gone("store: its database takes no writes", .databaseReadOnly),
        Self.row("store: each write to its database takes a third of a second", .slowDatabase, stores: [.postgresql]),
    ]

    private static let ofTheBroker = [
        Self.row("broker: it is down", .brokerDown, end: "`failed` `broker_unavailable`"),
        Self.row(
            "broker: it was down already when the server started", .brokerDownAtStart, stores: [.sqlite],
            open: Self.wait, end: "`failed` `broker_unavailable`"),
        Self.row("broker: it does not answer in time", .brokerSilent, end: "`failed` `broker_unavailable`"),
    ]

    private static let ofKeys = [
        Self.row("keys: a new server key, the old one after it", .newKey, stores: [.sqlite]),
        Self.row(
            "keys: a new server key, the old one gone", .lostKey, stores: [.sqlite], poll: "404 `unknown_login`",
            result: "404 `unknown_login`", open: Self.neutral, callback: "303 to nobody's page",
            page: Self.neutral),
    ]

    /// The ID token is too old, or not issued yet.
    private static let untimely = "`failed` `invalid_token`"

    private static let ofTheClock = [
        Self.row("clock: five seconds ahead", .clock(.seconds(5))),
        Self.row("clock: five seconds behind", .clock(.seconds(-5))),
        Self.row(
            "clock: a quarter of an hour ahead", .clock(.seconds(900), whole: Self.untimely),
            poll: "200 `expired` `timeout`", result: "410 `gone`", open: "200 “This login took too long”",
            page: "200 “This login is no longer open”", end: "`expired` `timeout`"),
        Self.past("clock: an hour ahead", .clock(.seconds(3_600), whole: Self.untimely)),
        Self.past("clock: a day ahead", .clock(.seconds(86_400), whole: Self.untimely)),
        Self.row("clock: an hour behind", .clock(.seconds(-3_600), whole: Self.untimely), end: Self.untimely),
        Self.row("clock: a day behind", .clock(.seconds(-86_400), whole: Self.untimely), end: Self.untimely),
    ]

    /// Returns a row in which every earlier login ended long ago. The server has forgotten a login whose browser did
    /// not return.
    private static func past(_ name: String, _ outage: Outage) -> OutageRow {
        Self.row(
            name, outage, poll: "404 `unknown_login`", result: "410 `gone`", open: Self.neutral,
            callback: "303 to nobody's page", page: "200 “This login is no longer open”", end: "410 `gone`")
    }
}
