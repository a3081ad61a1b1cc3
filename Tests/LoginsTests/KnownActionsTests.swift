import Base
import Brokers
import OpenIDConnect
import Testing

@testable import Logins

/// A client gets only actions that it knows, and a page instead of the others.
@Suite struct KnownActionsTests {
    static let usual = ["open_browser", "resume_browser", "show_browser", "open_app", "enter_code", "wait"]
    static let reversed = Array(usual.reversed())
    static let more = usual + ["take_photo"]
    static let browser = ["open_browser"]
    static let later = ["open_browser", "take_photo"]

    /// The names of a client that knows these besides `open_browser`.
    static func and(_ others: String...) -> [String] { ["open_browser"] + others }

    static func request(_ names: [String]?, thumbprint: String? = nil) -> LoginRequest {
        var request = LoginRequest(provider: "mitid", app: "demo")
        request.platform = .ios
        request.dpopThumbprint = thumbprint
        if let names { request.actions = KnownActions(names) }
        return request
    }

    // MARK: - The body and the row

    typealias Pair = (first: [String]?, second: [String]?, isSame: Bool)

    @Test(
        arguments: [
            (nil, usual, true), (usual, nil, true), (browser, and("wait"), true),
            (["open_app", "open_browser"], ["open_browser", "open_app", "open_app"], true), (nil, browser, false),
            (nil, more, false), (browser, later, false), (later, browser, false),
        ] as [Pair]) func `the actions are part of the body`(_ row: Pair) async throws
    {
        let stage = try FlowStage()
        _ = try await stage.flow.create(Self.request(row.first), secret: stage.secret)
        let second = Self.request(row.second)
        guard row.isSame else {
            await #expect(throws: LoginFlowError.differentBody) {
                try await stage.flow.create(second, secret: stage.secret)
            }
            return
        }
        #expect(try await stage.flow.create(second, secret: stage.secret).isNew == false)
    }

    typealias Kept = (names: [String], isWritten: Bool)

    @Test(
        arguments: [nil, SessionKeyThumbprintTests.thumbprint],
        [(browser, true), (later, true), (more, true), (usual, false), (reversed, false)]
            as [Kept])
    func `a row keeps the actions of its client`(_ thumbprint: String?, _ row: Kept) throws {
        let former = Self.request(nil, thumbprint: thumbprint).stored
        let stored = Self.request(row.names, thumbprint: thumbprint).stored
        // Earlier versions read their fields from the start and do not look at the rest.
        #expect(stored.starts(with: former))
        #expect((stored != former) == row.isWritten)
        #expect(stored.isEmpty == (thumbprint == nil && !row.isWritten))
        guard !stored.isEmpty else { return }
        let read = try SessionKeyThumbprintTests.read(stored)
        #expect(read.actions == KnownActions(row.names))
        #expect(read.dpopThumbprint == thumbprint)
        guard !former.isEmpty else { return }
        #expect(try SessionKeyThumbprintTests.read(former).actions == .usual)
    }

    /// Servers of two versions may share a store.
    @Test func `the bytes of the actions never change`() {
        var writer = ByteWriter()
        writer.write(nil as String?)
        writer.write(UInt8(1))
        writer.write(nil as String?)
        writer.write(0)
        writer.write("")
        writer.write(2)
        writer.write("open_browser")
        writer.write("wait")
        #expect(Self.request(Self.browser).stored == writer.bytes)
    }

    @Test func `a cut list of actions is refused`() {
        let thumbprint = SessionKeyThumbprintTests.thumbprint
        let former = Self.request(nil, thumbprint: thumbprint).stored.count
        let bytes = Self.request(Self.later, thumbprint: thumbprint).stored
        for count in former + 1..<bytes.count {
            #expect(throws: ByteReaderError.self) { try SessionKeyThumbprintTests.read(Array(bytes.prefix(count))) }
        }
    }

    // MARK: - The create

    typealias Create = (flow: Provider.Flow, release: ReleasePolicy, names: [String], missing: LoginAction?)

    @Test(
        arguments: [
            (.browser, .immediate, browser, nil), (.browser, .returnLink, browser, nil),
            (.ciba, .returnLink, later, nil),
            (.browser, .immediate, [], .openBrowser), (.browser, .code, ["enter_code"], .openBrowser),
            (.launchLinks, .immediate, ["open_app", "take_photo"], .openBrowser),
            (.browser, .code, and("show_browser"), .enterCode), (.browser, .code, and("enter_code"), nil),
            (.launchLinks, .immediate, browser, .openApp), (.headless, .immediate, browser, .openApp),
            (.artifact, .returnLink, and("enter_code"), .openApp),
            (.launchLinks, .immediate, and("open_app"), nil),
            (.headless, .immediate, and("open_app"), nil),
            (.artifact, .returnLink, and("open_app"), nil),
        ] as [Create]) func `a login that no page can save is refused`(_ row: Create) async throws
    {
        let stage = try FlowStage(row.release, through: row.flow)
        var missing: LoginAction?
        do throws(LoginFlowError) {
            _ = try await stage.flow.create(Self.request(row.names), secret: stage.secret)
        } catch {
            guard case .actionMissing(let action) = error else { throw error }
            missing = action
        }
        #expect(missing == row.missing)
        let isStored = try await stage.stored() != nil
        #expect(isStored == (row.missing == nil))
    }

    // MARK: - What comes next

    /// Where the user is.
    enum Place: Sendable {
        case atBroker
        /// The e-ID's app has sent the user back, and the broker's page continues.
        case resumed
        case atPage
        /// At the page with a code, and the app has no link.
        case atCode
        /// The app has reported that its browser is gone.
        case gonePage
        /// At the broker, and since then the provider opens the e-ID's app.
        case newFlow
    }

    typealias Step = (place: Place, names: [String]?, action: LoginAction)

    @Test(
        arguments: [
            (.atBroker, nil, .openBrowser), (.atBroker, browser, .openBrowser),
            (.resumed, nil, .resumeBrowser), (.resumed, and("resume_browser"), .resumeBrowser),
            (.resumed, browser, .openBrowser), (.resumed, and("show_browser", "open_app"), .openBrowser),
            (.atPage, nil, .showBrowser), (.atPage, and("show_browser"), .showBrowser),
            (.atPage, browser, .openBrowser), (.atPage, and("enter_code"), .openBrowser),
            (.atCode, nil, .enterCode), (.atCode, and("enter_code"), .enterCode),
            (.gonePage, nil, .enterCode), (.gonePage, and("enter_code"), .enterCode),
            (.gonePage, and("show_browser"), .showBrowser), (.gonePage, later, .openBrowser),
            (.newFlow, nil, .openApp), (.newFlow, and("open_app"), .openApp), (.newFlow, browser, .openBrowser),
        ] as [Step]) func `a page takes the place of an unknown action`(_ row: Step) async throws
    {
        let stage = try FlowStage(row.place == .atCode ? .code : .returnLink)
        _ = try await stage.flow.create(Self.request(row.names), secret: stage.secret)
        let link = Self.url(try await stage.flow.loadView(stage.id, secret: stage.secret).next)
        let state = try await stage.open().state
        let view: LoginView
        switch row.place {
        case .atBroker, .resumed, .newFlow:
            let snapshot = try await Self.moved(try #require(try await stage.stored()), to: row.place)
            view = try LoginViews(now: { Example.start }).view(of: snapshot, stage.secret)
        case .atPage, .atCode, .gonePage:
            _ = await stage.callback([Parameter("state", state), Parameter("code", "c")])
            await stage.flow.finish()
            if row.place == .gonePage {
                view = try await stage.flow.handleReturn(stage.id, secret: stage.secret, link: nil)
            } else {
                view = try await stage.flow.loadView(stage.id, secret: stage.secret)
            }
        }
        #expect(view.next?.action == row.action)
        guard row.action != .openApp else { return }
        #expect(Self.url(view.next) == (row.place == .resumed ? Self.resumeURL : link))
    }

    private static let resumeURL = "https://id.example.com/resume"

    /// Returns the login of a browser at the broker, at another place.
    private static func moved(_ snapshot: LoginSnapshot, to place: Place) async throws -> LoginSnapshot {
        var login = snapshot.login
        let attempt = try #require(login.attempts.last)
        switch place {
        case .resumed:
            login.resume = snapshot.inFlightSeal.seal(.resume, of: [], Array(Self.resumeURL.utf8))
            return snapshot.with(login)
        case .newFlow:
            let other = try FlowStage(.returnLink, through: .artifact)
            _ = try await other.flow.create(Self.request(nil), secret: other.secret)
            let values = InFlightValues(
                Challenge.make(state: "s"), AuthorizationStart(.app(AppTarget(universalLink: "https://app.example/"))),
                keepsTarget: true)
            login.attempts = [
                AuthorizationAttempt(
                    id: attempt.id, openedAt: attempt.openedAt,
                    inFlight: snapshot.inFlightSeal.seal(.challenge, of: attempt.id, values.bytes))
            ]
            let configuration = try #require(try await other.stored()).configuration
            return LoginSnapshot(login, under: snapshot.key, configuration)
        case .atBroker, .atPage, .atCode, .gonePage:
            return snapshot
        }
    }

    private static func url(_ next: LoginView.Next?) -> String? {
        switch next {
        case .openBrowser(let url, _)?, .resumeBrowser(let url, _)?, .showBrowser(let url, _)?,
            .enterCode(let url, _)?:
            url
        case .openApp?, .wait?, nil: nil
        }
    }
}
