/// The folders of one module that refer to each other, found by the names of their types.
struct FolderUses: Sendable {
    /// The folders that each folder uses, with one example each.
    private(set) var found: [String: [String: String]] = [:]

    init(_ files: [SourceFile], in folder: (SourceFile) -> String = \.folder) {
        let names = files.map { ($0, TypeNames($0.lines.joined(separator: "\n"))) }
        var homes: [String: Set<String>] = [:]
        for (file, types) in names {
            for name in types.declared { homes[name, default: []].insert(folder(file)) }
        }
        for (file, types) in names {
            for name in types.mentioned.subtracting(types.declared).subtracting(types.nested).sorted() {
                // A name that the file's own folder declares means that one.
                guard let folders = homes[name], !folders.contains(folder(file)) else { continue }
                for other in folders where self.found[folder(file)]?[other] == nil {
                    self.found[folder(file), default: [:]][other] = "\(file.path) has \(name)"
                }
            }
        }
    }
}
