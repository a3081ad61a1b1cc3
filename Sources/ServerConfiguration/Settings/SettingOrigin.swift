/// Where a setting's value came from.
package enum SettingOrigin: Hashable, Sendable {
    case flag(String)
    case variable(String)
    /// A variable whose name ends in `_FILE`, and the file it names.
    case variableFile(String, file: String)
    case file(String, line: Int?)
    case standard
}

extension SettingOrigin: CustomStringConvertible {
    package var description: String {
        switch self {
        case .flag(let name): name
        case .variable(let name): name
        case .variableFile(let name, let file): "\(name) (\(file))"
        case .file(let name, let line): line.map { "\(name):\($0)" } ?? name
        case .standard: "default"
        }
    }
}
