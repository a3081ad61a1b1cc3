import Foundation
import SwitchbackClient

/// An app that does what the run says: Phone SERVER FOLDER. It reads an order from each line of its input, and writes a
/// report for each state of a login. What is in FOLDER outlives it.
@main
struct Phone {
    static func main() async throws {
        let words = CommandLine.arguments
        guard words.count == 3, let server = URL(string: words[1]) else { exit(2) }
        let run = Run()
        let operations = Operations(server: server, folder: URL(fileURLWithPath: words[2]), run: run)
        for await line in Self.lines() {
            if line.order == nil {
                await run.take(line)
            } else {
                // An order may need answers, so the next line is read meanwhile.
                Task { await operations.perform(line) }
            }
        }
    }

    /// The lines of the input. A thread waits for them, because reading blocks.
    private static func lines() -> AsyncStream<Line> {
        let (stream, lines) = AsyncStream<Line>.makeStream()
        Thread {
            while let text = readLine() {
                guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)) else { exit(3) }
                lines.yield(line)
            }
            lines.finish()
        }
        .start()
        return stream
    }
}

/// The library's two clients, and the login that the run speaks of.
actor Operations {
    private static let sessionApp = "bank"

    private let run: Run
    private let client: LoginClient
    private let sessions: SessionClient
    private var login: LoginSession?

    init(server: URL, folder: URL, run: Run) {
        let dependencies = LoginClientDependencies { try await run.send($0) }
        self.run = run
        self.client = LoginClient(
            server: server, store: FileSavedLoginStore(folder: folder.appendingPathComponent("logins")),
            dependencies: dependencies)
        self.sessions = SessionClient(
            server: server, app: Self.sessionApp,
            storage: FileSessionStorage(file: folder.appendingPathComponent("session.json")), keys: RunKeys(run: run),
            dependencies: dependencies)
    }

    func perform(_ line: Line) async {
        do {
            switch line.order {
            case "start": try await self.start(line)
            case "resume": for login in try await self.client.resume() { self.listen(to: login) }
            case "link": _ = await self.client.open(line.text ?? "")
            case "code": self.login?.enter(code: line.text ?? "")
            case "cancel": self.login?.cancel()
            case "acknowledge": self.login?.acknowledge()
            case "begin": if let login { try await self.sessions.begin(after: login) }
            case "token":
                let token = try await self.sessions.accessToken()
                await self.run.tell(Report(kind: "token", token: token.exposed))
            default: exit(4)
            }
        } catch {
            await self.run.tell(Report(kind: "error", error: "\(error)"))
        }
    }

    private func start(_ line: Line) async throws {
        var request = NewLogin(provider: line.provider ?? "", platform: .ios, surface: .tab)
        request.app = line.app
        if line.app == Self.sessionApp { request = try await self.sessions.prepare(request) }
        self.listen(to: self.client.start(request))
    }

    private func listen(to login: LoginSession) {
        self.login = login
        let (states, run) = (login.states, self.run)
        Task { for await state in states { await run.tell(Report(state)) } }
    }
}
