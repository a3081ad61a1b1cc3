import Testing

@testable import Stores

/// Which processes have ended, as told by the names of sessions that were read.
@Suite struct LivingProcessesTests {
    struct Reading: Sendable {
        let names: Set<String>
        var session = 1
        let ended: Set<String>
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let readings: [Reading]
    }

    @Test(arguments: [
        Row(
            testDescription: "one ends, and two readings miss it",
            readings: [
                Reading(names: ["a", "b"], ended: []), Reading(names: ["a"], ended: []),
                Reading(names: ["a"], ended: ["b"]), Reading(names: ["a"], ended: ["b"]),
            ]),
        Row(
            testDescription: "one loses its connection and is back at once",
            readings: [
                Reading(names: ["a", "b"], ended: []), Reading(names: ["a"], ended: []),
                Reading(names: ["a", "b"], ended: []), Reading(names: ["a", "b"], ended: []),
            ]),
        Row(
            testDescription: "one is back after two readings",
            readings: [
                Reading(names: ["a", "b"], ended: []), Reading(names: ["a"], ended: []),
                Reading(names: ["a"], ended: ["b"]), Reading(names: ["a", "b"], ended: []),
                Reading(names: ["a"], ended: []), Reading(names: ["a"], ended: ["b"]),
            ]),
        Row(
            testDescription: "one that was never seen is not known",
            readings: [Reading(names: ["a"], ended: []), Reading(names: ["a"], ended: [])]),
        Row(
            testDescription: "two end one after the other",
            readings: [
                Reading(names: ["a", "b", "c"], ended: []), Reading(names: ["a", "c"], ended: []),
                Reading(names: ["a"], ended: ["b"]), Reading(names: ["a"], ended: ["b", "c"]),
            ]),
        Row(
            testDescription: "the database restarts, and the others are back later",
            readings: [
                Reading(names: ["a", "b"], ended: []), Reading(names: ["a"], session: 2, ended: []),
                Reading(names: ["a"], session: 2, ended: []), Reading(names: ["a"], session: 2, ended: []),
                Reading(names: ["a", "b"], session: 2, ended: []),
            ]),
        Row(
            testDescription: "our own session breaks while another process is missing",
            readings: [
                Reading(names: ["a", "b"], ended: []), Reading(names: ["a"], ended: []),
                Reading(names: ["a"], session: 2, ended: []), Reading(names: ["a"], session: 2, ended: []),
            ]),
    ]) func `a process whose sessions are gone has ended`(_ row: Row) {
        var processes = LivingProcesses()
        for (number, reading) in row.readings.enumerated() {
            processes.note(reading.names, by: reading.session)
            #expect(processes.ended == reading.ended, "reading \(number)")
        }
    }

    @Test func `a process that was handled is forgotten`() {
        var processes = LivingProcesses()
        for names in [["a", "b"], ["a"], ["a"]] as [Set<String>] { processes.note(names, by: 1) }
        #expect(processes.contains("a") && !processes.contains("b"))
        processes.forget(["b"])
        #expect(processes.ended.isEmpty)
        processes.note(["a"], by: 1)
        #expect(processes.ended.isEmpty)
    }

    @Test(arguments: [
        ("", "AbCdEfGhIjk"), ("switchback", "AbCdEfGhIjk"), ("a name with blanks", "AbCdEfGhIjk"),
        (String(repeating: "ø", count: 30) + String(repeating: "x", count: 90), "AbCdEfGhIjk"),
    ]) func `a session names its process`(_ prefix: String, _ process: String) {
        let session = ProcessName(text: process, knowsKeyRing: false).session(after: prefix)
        #expect(session.utf8.count < 64 && session.contains(" "))
        #expect(ProcessName.name(inSession: Array(session.utf8)) == process)
    }

    /// Its own name, the names that it sees, and whether it comes first. Names of other programs do not count.
    @Test(
        arguments: [
            ("BbCdEfGhIjk", ["BbCdEfGhIjk"], true), ("BbCdEfGhIjk", ["BbCdEfGhIjk", "CbCdEfGhIjk", "Driver"], true),
            ("BbCdEfGhIjk", ["BbCdEfGhIjk", "AbCdEfGhIjk"], false), ("BbCdEfGhIjk", ["AbCdEfGhIjk"], true),
            ("BbCdEfGhIjk", ["BbCdEfGhIjk", "4"], true), ("BbCdEfGhIjk", [], true),
        ] as [(String, Set<String>, Bool)])
    func `the first process reports for all of them`(_ name: String, _ names: Set<String>, _ isFirst: Bool) {
        var processes = LivingProcesses()
        processes.note(names, by: 1)
        #expect(processes.isFirst(name) == isFirst)
    }

    @Test(arguments: ["psql", "switchback"]) func `other sessions name no process`(_ session: String) {
        #expect(ProcessName.name(inSession: Array(session.utf8)) == nil)
    }

    @Test(arguments: [
        ("switchback AbCdEfGhIjk", true), ("+keys AbCdEfGhIjk", true), ("switchback +keys AbCdEfGhIjk", false),
        (" +keys AbCdEfGhIjk", false), ("a name with blanks AbCdEfGhIjk", true), ("psql", false), ("", false),
        ("PostgreSQL JDBC Driver", false), ("pgAdmin 4 - CONN:1234567", false), ("AbCdEfGhIjk", false),
    ]) func `a process without the mark does not know the ring of keys`(_ session: String, _ isStranger: Bool) {
        #expect(ProcessName.isStranger(Array(session.utf8)) == isStranger)
    }

    @Test(arguments: ["", "switchback", String(repeating: "x", count: 90)])
    func `a process that knows the ring says so in the names of its sessions`(_ prefix: String) {
        for knowsKeyRing in [true, false] {
            let process = ProcessName.make(knowsKeyRing: knowsKeyRing)
            let session = process.session(after: prefix)
            #expect(session.utf8.count < 64)
            #expect(ProcessName.name(inSession: Array(session.utf8)) == process.text)
            #expect(ProcessName.isStranger(Array(session.utf8)) == !knowsKeyRing)
        }
    }
}
