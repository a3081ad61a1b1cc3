import Foundation
import SwitchbackClient

/// An app for the login matrix: Program SERVER FOLDER. It speaks the protocol of Tests/LoginMatrix/README.md.
@main
struct Program {
    static func main() async {
        // A connection that the other side has closed is an error of that request only.
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments
        guard words.count == 3, let server = URL(string: words[1]) else { exit(2) }
        let app = MatrixApp(server: server, folder: URL(fileURLWithPath: words[2]))
        await app.begin()
        for await order in Self.orders() { await app.perform(order) }
    }

    /// The lines of the input. A thread waits for them, because reading blocks.
    private static func orders() -> AsyncStream<Order> {
        let (stream, orders) = AsyncStream<Order>.makeStream()
        Thread {
            while let line = readLine() {
                guard let order = try? JSONDecoder().decode(Order.self, from: Data(line.utf8)) else { exit(3) }
                orders.yield(order)
            }
            orders.finish()
        }
        .start()
        return stream
    }
}
