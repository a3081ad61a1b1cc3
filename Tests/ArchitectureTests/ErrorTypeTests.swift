import Testing

/// How many types of errors there are, and whether each function throws the one that fits it.
@Suite struct ErrorTypeTests {
    /// All modules together, the sandbox too. It may only fall: whoever removes one lowers it.
    private static let limit = 45

    /// The refusals of the API are closed lists, and each operation gives a part of its list. The sweeps throw one of
    /// them too: that the store does not respond.
    private static let answers: Set<String> = ["LoginFlowError", "SessionError", "Refusal"]

    private static let types = Result {
        try SourceTree.files(below: "Sources").map { ErrorTypes($0) }
    }

    @Test func `there are few types of errors`() throws {
        let files = try Self.types.get() + SourceTree.files(below: "Sandbox").map { ErrorTypes($0) }
        let names = files.flatMap(\.declared).map(\.name).sorted()
        #expect(names.count <= Self.limit, "\(names.joined(separator: "\n"))")
        #expect(names.contains("IDTokenError") && names.contains("BrokerError"), "the reader of types finds some")
    }

    /// A caller in another module must not have to handle a case that never comes. So this test reads the functions
    /// that other modules can call. A step inside a module may share the type of the function that calls it.
    @Test func `functions throw most of the cases of their type`() throws {
        let files = try Self.types.get()
        let cases = Dictionary(files.flatMap(\.declared).map { ($0.name, $0.cases) }) { $0.union($1) }
        let functions = files.flatMap(\.functions)
        let byName = Dictionary(grouping: functions.indices) { "\(functions[$0].error) \(functions[$0].name)" }
        let names = Set(functions.map(\.name))
        /// Returns nil if nobody can tell from the words, as for a closure or a getter.
        func thrown(_ index: Int, _ seen: Set<Int>) -> Set<String>? {
            let function = functions[index]
            guard !function.isOpen else { return nil }
            var all = function.cases
            for name in function.tried {
                guard let others = byName["\(function.error) \(name)"] else {
                    // A function with another type stands in a `do` of its own.
                    if names.contains(name) { continue }
                    return nil
                }
                for other in others where !seen.contains(other) {
                    guard let more = thrown(other, seen.union([other])) else { return nil }
                    all.formUnion(more)
                }
            }
            return all
        }
        let narrow = functions.indices.filter { index in
            guard functions[index].isPackage, !Self.answers.contains(functions[index].error),
                let all = cases[functions[index].error], all.count > 1,
                let found = thrown(index, [index])
            else { return false }
            return found.intersection(all).count * 2 <= all.count
        }
        let found = Set(
            narrow.map { index in
                "\(functions[index].file.split(separator: "/").last ?? "") \(functions[index].name)"
            })
        #expect(found.sorted() == [])
        #expect(functions.count > 700 && cases.count > 30, "the reader of functions finds them")
    }

    /// A form that the reader does not see could break the rule for ever.
    @Test func `the reader of functions sees every form`() {
        let text = """
            struct Outer {
                struct Inner: Sendable {
                    let number: Int
                    package init(_ a: Int) throws(E) {
                        throw .a
                    }
                }

                package func void() throws(E) {
                    guard self.isRight else { throw .b }
                }
                package func short() throws(Outer.E) -> Int { throw .c }
            }
            extension A.B {
                func long(
                    _ one: Int
                ) async throws(E) -> [Int] where A: B {
                    do throws(F) { try self.other() } catch { throw .d }
                }
                convenience init(two: Int) throws(E) {
                    try self.init(of: try Outer.Inner(two), try Self(three: 3))
                }
            }
            """
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let functions = ErrorTypes(SourceFile(path: "Sources/X/x.swift", lines: lines)).functions
        #expect(functions.map(\.name) == ["Inner", "void", "short", "long", "B"])
        #expect(functions.map(\.error) == ["E", "E", "E", "E", "E"])
        #expect(functions.map(\.cases) == [["a"], ["b"], ["c"], ["d"], []])
        #expect(functions.map(\.tried) == [[], [], [], ["other"], ["B", "Inner"]])
        #expect(functions.map(\.isPackage) == [true, true, true, false, false])
    }
}
