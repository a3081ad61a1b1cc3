/// The module diagram, and the tables in docs/explanation/architecture.md and in the pages of the modules.
enum Drawing {
    /// The floors from the top, without arrows that other arrows imply.
    static func picture(of modules: [Module]) -> String {
        var lines = ["```mermaid", "flowchart TB"]
        for floor in Module.Floor.allCases.reversed() {
            lines.append("    subgraph \(floor.rawValue)[\"\(floor.title)\"]")
            lines += modules.reversed().filter { $0.floor == floor }.map { "        \($0.name)" }
            lines.append("    end")
        }
        for module in modules.reversed() {
            let direct = module.imports.filter { name in
                !module.imports.contains { $0 != name && Self.reached(from: $0, in: modules).contains(name) }
            }
            lines += direct.sorted().map { "    \(module.name) --> \($0)" }
        }
        return (lines + ["```", ""]).joined(separator: "\n")
    }

    private static func reached(from name: String, in modules: [Module]) -> Set<String> {
        guard let module = modules.first(where: { $0.name == name }) else { return [] }
        return module.imports.reduce(into: module.imports) { $0.formUnion(Self.reached(from: $1, in: modules)) }
    }

    /// One row for each module, with what its own page says of it. `top` leads from the table's page to the package.
    static func table(of modules: [Module], top: String) throws -> String {
        let rows = try modules.reversed().map { module in
            let page = try ModulePage(of: module)
            return "| [`\(module.name)`](\(top)\(page.path)) | \(page.purpose ?? "") | \(Self.list(module.imports)) |"
        }
        return (["| module | what it does | imports |", "|---|---|---|"] + rows + [""]).joined(separator: "\n")
    }

    static func folders(of module: Module) -> String {
        let rows = module.folders.reversed().map { "| \(Self.list([$0.name])) | \(Self.list($0.uses)) |" }
        return (["| folder, the highest first | uses |", "|---|---|"] + rows + [""]).joined(separator: "\n")
    }

    private static func list(_ names: Set<String>) -> String {
        names.sorted().map(self.title).joined(separator: ", ")
    }

    private static func title(_ folder: String) -> String {
        if folder.isEmpty { return "the files outside folders" }
        return folder.hasSuffix("/*") ? "each folder of `\(folder.dropLast(2))`" : "`\(folder)`"
    }
}
