import Testing

/// A piece of Swift, and what `FileOutline` has to find in it. Without such rows, the rules for files could never fail.
struct OutlineRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    var looseDocs: [Int] = []
    /// The top-level declarations without a doc comment.
    var undocumented: [String] = []
    var isSilent = false

    static let all = [
        OutlineRow(testDescription: "the form of a file", text: "// About it.\n\nimport A\n\n/// A doc.\nstruct B {}"),
        OutlineRow(testDescription: "no import", text: "/// A doc.\n///\n/// More.\npackage final class B {}"),
        OutlineRow(
            testDescription: "above an import", text: "/// A doc.\nimport A\n\nenum B {}", looseDocs: [1],
            undocumented: ["enum B"]),
        OutlineRow(
            testDescription: "above an import with an attribute",
            text: "/// A doc.\n@testable import A\n\n/// A doc.\nenum B {}", looseDocs: [1]),
        OutlineRow(
            testDescription: "above a condition", text: "/// A doc.\n#if os(Linux)\nfunc a() {}\n#endif",
            looseDocs: [1],
            undocumented: ["func a"]),
        OutlineRow(testDescription: "inside a condition", text: "#if os(Linux)\n/// A doc.\nstruct A {}\n#endif"),
        OutlineRow(
            testDescription: "above an import in a condition",
            text: "#if os(Linux)\n/// A doc.\nimport B\n#endif\n/// A doc.\nstruct A {}", looseDocs: [2]),
        OutlineRow(
            testDescription: "above a blank line", text: "/// A doc.\n\n/// Another.\nactor B {}", looseDocs: [1]),
        OutlineRow(
            testDescription: "above another comment", text: "/// A doc.\n// Safe.\nfinal class B {}", looseDocs: [1],
            undocumented: ["class B"]),
        OutlineRow(
            testDescription: "below another comment", text: "// Safe.\n/// A doc.\nfinal class B {}"),
        OutlineRow(
            testDescription: "at the end", text: "protocol B {\n    /// A doc.\n}\n/// A doc.", looseDocs: [2, 4],
            undocumented: ["protocol B"]),
        OutlineRow(
            testDescription: "above a statement", text: "/// A doc.\nprint(1)\nlet a = 1", looseDocs: [1],
            undocumented: ["let a"]),
        OutlineRow(testDescription: "above attributes", text: "/// A doc.\n@MainActor\n@Suite(.a(\"b\")) struct B {}"),
        OutlineRow(
            testDescription: "above a long attribute",
            text: """
                /// A doc.
                @Suite(
                    .a, .b(1)
                ) struct B {
                    /// A doc.
                    @Test(
                        arguments: [1])
                    func c() {}
                }
                """),
        OutlineRow(
            testDescription: "between attribute and type", text: "@MainActor\n/// A doc.\nstruct B {}"),
        OutlineRow(
            testDescription: "each form of a member",
            text: """
                // About it.

                /// A doc.
                extension B {
                    /// A doc.
                    indirect case a
                    /// A doc.
                    package private(set) static var b = 1
                    /// A doc.
                    nonisolated(nonsending) private func c() {}
                    /// A doc.
                    convenience init?() {}
                    /// A doc.
                    class func d() {}
                    /// A doc.
                    static prefix func ! (b: B) -> B { b }
                    /// A doc.
                    subscript(e: Int) -> Int { e }
                    /// A doc.
                    @C weak var f: D?
                }
                """),
        OutlineRow(
            testDescription: "types without a doc",
            text: """
                typealias A = Int
                private struct B {
                    struct Inner {}
                }
                #if os(Linux)
                @C(d: "e") public final class F {}
                #endif
                """, undocumented: ["typealias A", "struct B", "class F"]),
        OutlineRow(
            testDescription: "extensions with a first line", text: "// About it.\n\nimport A\n\nextension B {}",
            undocumented: ["extension B"]),
        OutlineRow(
            testDescription: "extensions without a first line", text: "import A\n\nextension B {}",
            undocumented: ["extension B"], isSilent: true),
        OutlineRow(
            testDescription: "a doc comment is no first line", text: "/// A doc.\nextension B {}", isSilent: true),
        OutlineRow(
            testDescription: "an empty first line", text: "//\n\nextension B {}", undocumented: ["extension B"],
            isSilent: true),
        OutlineRow(
            testDescription: "extensions and a type", text: "/// A doc.\nextension B {}\n/// A doc.\nenum C {}"),
        OutlineRow(
            testDescription: "a literal of many lines",
            text: "/// A doc.\nlet a = #\"\"\"\n/// No doc.\nstruct B {}\n\"\"\"\n\"\"\"#\nfunc c() {}",
            undocumented: ["func c"]),
    ]
}
