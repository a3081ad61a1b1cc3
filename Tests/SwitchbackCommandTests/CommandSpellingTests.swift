import ArgumentParser
import Testing

@testable import SwitchbackCommand

/// What somebody reads who mistypes a command, and whether the examples of the help can be pasted.
@Suite struct CommandSpellingTests {
    private static let spelling = CommandSpelling(SwitchbackCommand.self)

    /// The words, and how the message begins; nil if the parser judges them.
    static let rows: [(words: String, message: String?)] = [
        ("srve", "there is no command `switchback srve`; did you mean `switchback serve`?"),
        ("sandbx", "there is no command `switchback sandbx`; did you mean `switchback sandbox`?"),
        ("chekc --online", "there is no command `switchback chekc`; did you mean `switchback check`?"),
        ("keys creat", "there is no command `switchback keys creat`\n"),
        (
            "keys genrate server x",
            "there is no command `switchback keys genrate`; did you mean `switchback keys generate`?"
        ),
        ("pages previw", "there is no command `switchback pages previw`; did you mean `switchback pages preview`?"),
        ("frob", "there is no command `switchback frob`\nIts commands are serve, sandbox, "),
        ("help foo", "there is no command `switchback foo`\n"),
        ("help keys rotat", "there is no command `switchback keys rotat`; did you mean `switchback keys rotate`?"),
        ("--verson", "there is no option `--verson`; did you mean `switchback --version`?"),
        ("--hlep", "there is no option `--hlep`; did you mean `switchback --help`?"),
        ("check switchback.yaml", "the configuration needs its option: `switchback check --config switchback.yaml`"),
        ("serve", nil), ("keys", nil), ("keys generate server server.key", nil), ("help", nil), ("help keys", nil),
        ("--version", nil), ("--help", nil), ("keys --help", nil), ("init shop.yaml", nil), ("", nil),
        ("--generate-completion-script bash", nil), ("check --config switchback.yaml", nil),
    ]

    @Test(arguments: rows) func `a mistyped command has words of its own`(_ words: String, _ message: String?) {
        let mistake = Self.spelling.mistake(in: words.split(separator: " ").map(String.init))
        guard let message else {
            #expect(mistake == nil)
            return
        }
        #expect(mistake?.hasPrefix(message) == true, "\(mistake ?? "none")")
    }

    @Test(arguments: ["version", "-v", "-V"]) func `the version has its usual names`(_ word: String) {
        #expect(Self.spelling.words([word]) == ["--version"])
        #expect(Self.spelling.mistake(in: Self.spelling.words([word])) == nil)
    }

    /// The commands with the text of their help.
    private static func helps(_ command: any ParsableCommand.Type) -> [String] {
        [command.configuration.discussion] + command.configuration.subcommands.flatMap(Self.helps)
    }

    @Test func `examples fit into a terminal of eighty columns`() {
        let lines = Self.helps(SwitchbackCommand.self).flatMap { $0.split(separator: "\n") }.filter {
            $0.hasPrefix("  ")
        }
        #expect(lines.count > 20)
        for line in lines { #expect(line.count <= 80, "\(line)") }
    }

    /// The listen, the public URL and `PORT`, and what is wrong with them.
    static let addresses: [(listen: String?, url: String?, port: String?, message: String)] = [
        ("foo", nil, nil, "--listen must be an address and a port, as in 127.0.0.1:9000, not \"foo\"."),
        ("127.0.0.1", nil, nil, "--listen must be an address and a port, as in 127.0.0.1:9000, not \"127.0.0.1\"."),
        ("127.0.0.1:80x", nil, nil, "--listen must end with a port, which is a number, and \"80x\" is none."),
        (
            "127.0.0.1:70000", nil, nil,
            "--listen has port 70000, and a sandbox needs eight ports: the first can be 1 to 65528."
        ),
        ("unix:/run/x.sock", nil, nil, "--listen must be an address and a port, because browsers and brokers cannot"),
        (nil, nil, "abc", "PORT must be a port, which is a number, and \"abc\" is none."),
        (nil, nil, "65530", "PORT is 65530, and a sandbox needs eight ports: the first can be 1 to 65528."),
        (
            "0.0.0.0:8080", "https://192.168.1.20:8080", nil,
            "--public-url must begin with http://, because a sandbox has no certificate, not \"https://192.168.1.20:8080\"."
        ),
        (
            "0.0.0.0:8080", "http://192.168.1.20", nil,
            "--public-url must end with the port of the sandbox, as in http://192.168.1.20:8080, not \"http://192.168.1.20\"."
        ),
    ]

    @Test(arguments: addresses) func `each cause has its own message`(
        _ listen: String?, _ url: String?, _ port: String?, _ message: String
    ) {
        #expect(SandboxPlan(listen: listen, publicURL: url, port: port) == nil)
        let mistake = SandboxPlan.mistake(listen: listen, publicURL: url, port: port)
        #expect(mistake.hasPrefix(message), "\(mistake)")
    }
}
