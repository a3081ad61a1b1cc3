/// Where a setting's value came from.
package enum SettingOrigin: Hashable, Sendable {
    case flag(String)
    case variable(String)
    /// A variable whose name ends in `_FILE`, and the file it names.
    case variableFile(String, file: String)
    case file(String, line: Int?)
    /// A line of the configuration file that names the file with a secret, and that file.
    case secretFile(String, line: Int?, file: String)
    case standard
}

extension SettingOrigin: CustomStringConvertible {
    package var description: String {
        switch self {
        case .flag(let name): name
        case .variable(let name): name
        case .variableFile(let name, let file): "\(name) (\(file))"
        case .file(let name, let line): line.map { "\(name):\($0)" } ?? name
        case .secretFile(let name, let line, let file):
            "\(SettingOrigin.file(name, line: line)) (\(file))"
        case .standard: "default"
        }
    }
}

extension SettingOrigin {
    /// Returns the name under which the setting stands there: `client_secret_file` for the file of a secret.
    func settingName(_ path: SettingPath) -> String {
        if case .secretFile = self { return "\(path)_file" }
        return "\(path)"
    }
}
