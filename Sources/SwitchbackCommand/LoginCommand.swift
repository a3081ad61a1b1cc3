import ArgumentParser
import Base
import ServerConfiguration
import StrictJSON

/// `switchback login`: tells what happened to a login.
struct LoginCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Tell what happened to the login with a reference, why it ended so, and what to do.",
        discussion: """
            Asks the operations port of a server, with the token of recorder.token. Any server of a shared store can tell.
            Logins are kept for recorder.keep. The reference is what the page, the app and the log show: case, spaces and
            dashes do not matter.

            Example:
              switchback login K7QX-2M4P --config /etc/switchback/switchback.yaml
            """)

    @Argument(help: "The reference, such as K7QX-2M4P.")
    var reference: String

    @Option(name: .long, help: "The configuration file. Default: the value of SWITCHBACK_CONFIG.", completion: .file())
    var config: String?

    @Option(name: .long, help: "The address and port, or Unix socket, of the operations port.")
    var operationsListen: String?

    @Flag(name: .long, help: "Print the server's response, which is JSON.")
    var json = false

    func run() throws {
        let environment = Environment.variables
        let letters = self.reference.filter { $0 != " " && $0 != "-" }
        guard letters.utf8.count == 8, letters.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw OperatorError("\(self.reference) is no reference: it has eight letters and digits, as in K7QX-2M4P")
        }
        let address = Health.address(flag: self.operationsListen, config: self.config, environment: environment)
        guard let address else { throw OperatorError("no operations address is configured") }
        let token = Health.text(of: SettingPath("recorder.token"), config: self.config, environment: environment)
        guard let token else {
            throw OperatorError(
                "recorder.token is not set. Set it, and recorder.keep, for the servers and for this command")
        }
        guard !token.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
            throw OperatorError("recorder.token has a character that no HTTP header may have")
        }
        let answer = try Health.get("/logins/\(letters)", at: address, seconds: 10, token: token)
        try self.print(answer, from: address)
    }

    private func print(_ answer: String, from address: String) throws {
        guard let end = answer.firstRange(of: "\r\n\r\n") else { throw OperatorError("\(address) did not respond") }
        let body = String(answer[end.upperBound...])
        guard answer.hasPrefix("HTTP/1.1 200 ") else {
            let isOff = answer.hasPrefix("HTTP/1.1 404 ") && body == "not found\n"
            throw OperatorError(
                isOff
                    ? "\(address) tells nothing of logins: recorder.token is not set there, or it is an older server"
                    : "\(body.prefix { $0 != "\n" })")
        }
        guard let json = try? JSON(parsing: Array(body.utf8)), let logins = json["logins"]?.array else {
            throw OperatorError("\(address) did not respond as a server of this version does")
        }
        guard !self.json else { return Console.printResult(body) }
        Console.printResult(logins.map { LoginReport($0).text }.joined(separator: "\n\n") + "\n")
    }
}
