import Base
import Testing

@testable import Logins

/// Tests which pages are the same for every login, so that they are rendered once.
@Suite struct SharedPageTests {
    private static let view = PageView(.completed, app: "demo", provider: "mitid")

    private static func changed(_ change: (inout PageView) -> Void) -> PageView {
        var view = Self.view
        change(&view)
        return view
    }

    enum Effect: Sendable {
        /// Another page, which is the same for every login too.
        case another
        case none
        /// A page of one login.
        case ownPage
    }

    typealias Row = (property: String, view: PageView, effect: Effect)

    static let rows: [Row] = [
        ("kind", PageView(.cancelled, app: "demo", provider: "mitid"), .another),
        ("app", PageView(.completed, app: "shop", provider: "mitid"), .another),
        ("provider", PageView(.completed, app: "demo", provider: "vipps"), .another),
        ("isCodeOnly", changed { $0.isCodeOnly = true }, .another),
        ("isOnWeb", changed { $0.isOnWeb = true }, .another),
        ("isEnding", changed { $0.isEnding = true }, .another),
        ("hasMoreTime", changed { $0.hasMoreTime = true }, .another),
        ("canRetry", changed { $0.canRetry = true }, .another),
        ("reloadsAfter", changed { $0.reloadsAfter = 10 }, .another),
        ("reference", PageView(.completed, reference: "K7QX-2M4P", app: "demo", provider: "mitid"), .none),
        ("locale", PageView(.completed, app: "demo", provider: "mitid", locale: "da"), .none),
        ("changesAt", changed { $0.changesAt = Timestamp(milliseconds: 1) }, .none),
        ("retryAfter", changed { $0.retryAfter = .seconds(1) }, .none),
        ("returnURL", changed { $0.returnURL = "https://link.example.com/r/" }, .ownPage),
        ("timeLeft", changed { $0.timeLeft = .seconds(1) }, .ownPage),
        ("code", changed { $0.code = "012345" }, .ownPage),
    ]

    @Test(arguments: rows) func `each property makes another page, or is not on it`(_ row: Row) {
        let shared = row.view.shared
        #expect((shared == nil) == (row.effect == .ownPage))
        #expect((shared == Self.view.shared) == (row.effect == .none))
    }

    /// A new property needs a row.
    @Test func `the table has each property`() {
        let properties = Mirror(reflecting: Self.view).children.compactMap(\.label)
        #expect(properties.sorted() == Self.rows.map(\.property).sorted())
    }

    @Test func `the page of a failed login has its reference`() {
        #expect(PageView(.expired, reference: "K7QX-2M4P").shared == nil)
        #expect(PageView(.expired).shared != nil)
    }
}
