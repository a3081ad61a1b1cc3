/// Finds the files that a configuration file names by relative paths.
///
/// They are in the folder of that file, wherever the command runs. A file that is only in the current folder is found
/// too, because that was the rule at first; the operator gets a warning then. What a variable or a flag names is
/// relative to the current folder, as for every other program.
struct FileLocator {
    /// The folder of the configuration file, with a final slash. Empty if that is the current folder.
    private let folder: String
    private let files: FileAccess

    init(_ source: ConfigurationSource) {
        self.folder = source.name.lastIndex(of: "/").map { String(source.name[...$0]) } ?? ""
        self.files = source.files
    }

    /// Returns the path to open, and whether the file is only in the current folder.
    func locate(_ path: String) -> (path: String, isElsewhere: Bool) {
        guard !self.folder.isEmpty, !path.hasPrefix("/") else { return (path, false) }
        // The path is printed for the operator to use elsewhere (`keys rotate`).
        let located = self.files.absolute(self.folder + path)
        let isElsewhere = !self.files.exists(located) && self.files.exists(path)
        return (isElsewhere ? path : located, isElsewhere)
    }
}
