import ArgumentParser
import ConfigurationSamples
import Foundation
import TestSupport
import Testing

@testable import SwitchbackCommand

/// Generates Config/switchback.1, the manual page, from the help of each command.
@Suite struct ManualPageTests {
    private static let path = "Config/switchback.1"

    @Test func `the page has the help of every command`() throws {
        let help = try JSONDecoder().decode(Help.self, from: Data(SwitchbackCommand._dumpHelp().utf8))
        let page = Self.page(help.command)
        guard try SourceFile.text(Self.path) != page else { return }
        if ProcessInfo.processInfo.environment["SWITCHBACK_WRITE_DOCS"] == "1" {
            try page.write(toFile: SourceFile.path(Self.path), atomically: true, encoding: .utf8)
        } else {
            Issue.record("\(Self.path) is not up to date: SWITCHBACK_WRITE_DOCS=1 rewrites it")
        }
    }

    // MARK: - What the commands say

    private struct Help: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// The command itself, then those below it, with their whole names.
        func all(below parent: String = "") -> [(name: String, command: Command)] {
            let name = parent + self.commandName
            return [(name, self)]
                + (self.subcommands ?? []).filter { $0.commandName != "help" }.flatMap { $0.all(below: "\(name) ") }
        }

        /// Without those that every command has.
        var ownArguments: [Argument] {
            (self.arguments ?? []).filter { $0.shouldDisplay && !["help", "version"].contains($0.valueName) }
        }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let name: String
        }

        let kind: String
        let shouldDisplay: Bool
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let defaultValue: String?
    }

    // MARK: - As a page of man(7)

    private static func page(_ command: Command) -> String {
        """
        .\\" Generated from the help of each command. SWITCHBACK_WRITE_DOCS=1 rewrites it.
        .TH SWITCHBACK 1 "" Switchback "User Commands"
        .\\" Names must not be broken at a hyphen.
        .nh
        .SH NAME
        switchback \\- \(Self.escaped(command.abstract ?? ""))
        .SH SYNOPSIS
        .B switchback
        .I command
        .RI [ options ]
        .SH DESCRIPTION
        \(Self.paragraphs(command.discussion))
        .SH COMMANDS
        \(command.all().dropFirst().map(Self.section).joined(separator: "\n"))
        .SH ENVIRONMENT
        .TP
        .B SWITCHBACK_CONFIG
        The configuration file, if
        .B \\-\\-config
        names none.
        .TP
        .BR NO_COLOR ", " FORCE_COLOR ", " CLICOLOR_FORCE
        Switch colours off, or on where the output is no terminal.
        .SH EXIT STATUS
        0 if the command did what it says, 1 if not, 64 for a wrong option.

        """
    }

    private static func section(_ name: String, _ command: Command) -> String {
        let abstract = [Self.escaped(command.abstract ?? "")]
        let discussion = command.discussion.map { [".PP", Self.paragraphs($0)] } ?? []
        return ([".SS \(Self.escaped(name))"] + abstract + discussion + command.ownArguments.map(Self.item))
            .joined(separator: "\n")
    }

    private static func item(_ argument: Argument) -> String {
        let name = Self.escaped(argument.names?.first.map { "--\($0.name)" } ?? "")
        let value = Self.escaped(argument.valueName ?? "")
        let head =
            switch argument.kind {
            case "positional": ".I \(value)"
            case "option": ".BI \(name) \" \(value)\""
            default: ".B \(name)"
            }
        let standard = argument.defaultValue.map { " (default: \($0))" } ?? ""
        return ".TP\n\(head)\n\(Self.escaped((argument.abstract ?? "") + standard))"
    }

    /// Lines that begin with blanks are examples, which keep their line ends.
    private static func paragraphs(_ text: String?) -> String {
        var lines: [String] = []
        var isExample = false
        for line in (text ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("  ") != isExample {
                lines.append(isExample ? ".fi" : ".nf")
                isExample.toggle()
            }
            lines.append(line.isEmpty ? ".PP" : Self.escaped(String(line)))
        }
        return (lines + (isExample ? [".fi"] : [])).joined(separator: "\n")
    }

    /// A hyphen that can be copied, and no line that looks like a request.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
