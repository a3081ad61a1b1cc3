import HTTPServer
import HTTPWire
import Logins

/// A browser whose user gets a page, and not JSON, if we refuse its request.
struct PageReader: Sendable {
    /// The folders that only programs ask.
    private static let apiFolders = ["/v1/", "/oauth/"]

    let languages: [String]
    /// Whether the page's own URL asks the same again.
    let canRetry: Bool

    /// Returns nil for a client that does not prefer pages, as all apps.
    init?(_ head: RequestHead) {
        func prefers(_ type: String) -> Bool {
            MediaRange.prefers(type, to: "application/json", in: head.fields.all(.accept))
        }
        // The HTTP client of Java names text/html too. Only browsers also name XHTML.
        guard prefers("text/html"), !Self.isOfAPI(head) || prefers("application/xhtml+xml") else { return nil }
        self.languages = head.fields.preferredLanguages
        self.canRetry = head.method == .get
    }

    private init(languages: [String]) {
        self.languages = languages
        self.canRetry = false
    }

    /// Returns who reads the refusal of a request that no handler has seen.
    static func of(_ refusal: ServerRefusal) -> PageReader? {
        guard let head = refusal.head else { return nil }
        // After a URL that is too long, `Accept` may not have arrived. Programs ask only below some folders.
        if refusal.cause == .malformed(.targetTooLong), head.fields[.accept] == nil {
            return Self.isOfAPI(head) ? nil : PageReader(languages: head.fields.preferredLanguages)
        }
        return PageReader(head)
    }

    private static func isOfAPI(_ head: RequestHead) -> Bool {
        Self.apiFolders.contains { head.target.path.hasPrefix($0) }
    }
}

extension Fields {
    /// The languages that the browser prefers, the best first.
    var preferredLanguages: [String] {
        let ranges = LanguageRange.list(self.all(.acceptLanguage)).map(\.range)
        return Array(ranges.filter { !$0.contains("*") }.prefix(8))
    }
}

extension Pages {
    /// Returns the problem as a page that says what to do now.
    func response(to problem: Problem, requestID: String, for reader: PageReader) -> Response {
        var view = PageView(problem)
        view.canRetry = reader.canRetry && problem.mayPass
        let page = self.response(problem.code.status, view, languages: reader.languages)
        var response = problem.response(requestID: requestID)
        response.body = page.body
        for (name, value) in page.fields where name != .retryAfter { response.fields[name] = value }
        response.fields.vary(on: .accept)
        return response
    }
}

extension PageView {
    /// The page that says the same to a user.
    init(_ problem: Problem) {
        self.init(problem.pageKind)
        self.retryAfter = problem.retryAfter.map { .seconds($0) }
    }
}

extension Problem {
    /// The page that says the same to a user.
    fileprivate var pageKind: PageView.Kind {
        switch self.code {
        // We have more to do than we can, and everything responds.
        case .tooManyConnections, .temporarilyUnavailable: .busy
        case .providerOff: .providerOff
        default: Self.pageKind(of: self.code.status)
        }
    }

    private static func pageKind(of status: Status) -> PageView.Kind {
        switch status {
        case .tooManyRequests: .busy
        case .internalServerError, .badGateway, .serviceUnavailable: .unavailable
        // 408: the browser's request did not arrive in time.
        case .badRequest, .requestTimeout, .contentTooLarge, .uriTooLong, .unsupportedMediaType, .expectationFailed,
            .requestHeaderFieldsTooLarge, .notImplemented, .httpVersionNotSupported:
            .notice(.unreadable)
        default: .neutral
        }
    }

    /// Whether the same request may succeed later.
    fileprivate var mayPass: Bool {
        self.pageKind == .unavailable || self.pageKind == .busy || self.code.status == .requestTimeout
    }
}
