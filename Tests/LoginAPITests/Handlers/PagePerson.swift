import HTTPWire
import StrictJSON
import Testing

/// An app, and a user with its page open, on a bench.
struct PagePerson {
    let app: BenchApp
    private(set) var page = "/done/unknown"
    /// The first link of the page: later the page may not show it any more.
    private var link: String?

    init(_ bench: HandlerBench, _ members: JSON.Object = [:]) {
        self.app = BenchApp(bench: bench, members: members)
    }

    /// The digits that the page shows now.
    var code: String? {
        get async throws {
            let text = try await self.app.bench.send(.get, self.page).text
            return text.firstMatch(of: /<span>([0-9]{3})<\/span><wbr><span>([0-9]{3})</).map { "\($0.1)\($0.2)" }
        }
    }

    mutating func take(_ step: PageStateTests.Step) async throws {
        switch step {
        case .finish:
            self.page = try await self.app.finish()
            try await self.settle()
        case .hang:
            self.app.bench.provider.become(slow: true)
            self.page = try await self.app.finish()
        case .deny:
            try await self.callBack("error=access_denied")
        case .bogusCode:
            try await self.callBack("code=bogus")
            try await self.settle()
        case .wrongCodes:
            let wrong = try await self.code == "000000" ? "000001" : "000000"
            for _ in 0..<3 { #expect(try await self.type(wrong).json["code"] == "wrong_code") }
        case .rightCode:
            let code = try #require(try await self.code)
            #expect(try await self.type(code).json["status"] == "completed")
        case .pageLink:
            let body: JSON = ["url": .string(try #require(self.link))]
            let answer = try await self.app.post("return", body: String(decoding: body.encoded(), as: UTF8.self))
            #expect(answer.json["status"] == "completed")
        case .cancel:
            #expect(try await self.app.post("cancel").json["status"] == "cancelled")
        case .moreTime:
            let answer = try await self.app.bench.send(.post, self.page)
            #expect(answer.status == .seeOther && answer.fields[.location] == self.page)
        case .delete:
            #expect(try await self.app.delete().status == .noContent)
        case .advance(let seconds):
            self.app.bench.clock.move(by: .seconds(seconds))
        }
    }

    func type(_ code: String) async throws -> Response {
        try await self.app.post("return", body: "{\"code\": \"\(code)\"}")
    }

    private mutating func callBack(_ answer: String) async throws {
        let state = try #require(try await self.app.open()["state"])
        let sent = try await self.app.bench.send(.get, "/callback/fake?\(answer)&state=\(state)")
        self.page = try #require(sent.fields[.location])
    }

    /// Waits until the code exchange is over.
    private mutating func settle() async throws {
        for _ in 0..<100 {
            let version = try await self.app.poll([.prefer: "wait=20", .ifNoneMatch: "W/\"2\""]).json["version"]
            if version?.integer ?? 0 > 2 { break }
        }
        let text = try await self.app.bench.send(.get, self.page).text
        self.link = text.firstMatch(of: /id="back" class="button" href="([^"]+)"/).map {
            String($0.1).replacing("&amp;", with: "&")
        }
    }
}
