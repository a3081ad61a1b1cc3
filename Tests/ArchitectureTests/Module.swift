/// A module of this package, as the table in `House` or `Wing` describes it.
struct Module: Sendable {
    /// The floors, lowest first.
    enum Floor: String, CaseIterable, Sendable {
        case base, transport, domain, surfaces, wiring, commands
        /// The client library, outside the server: it is for apps.
        case apps

        /// The floor's title in the documentation.
        var title: String {
            switch self {
            case .base: "Base: values that know no protocol of logins"
            case .transport: "Transport: sockets"
            case .domain: "Domain: logins"
            case .surfaces: "Surfaces: what others see of a server"
            case .wiring: "Wiring: whole programs"
            case .commands: "Commands"
            case .apps: "For apps"
            }
        }
    }

    /// A folder, and the folders of the same module that its files may refer to.
    struct Folder: Sendable {
        /// Empty for files outside any folder.
        let name: String
        let uses: Set<String>

        init(_ name: String, uses: Set<String> = []) {
            self.name = name
            self.uses = uses
        }
    }

    let name: String
    let floor: Floor
    /// Its folder, from the package's folder.
    let path: String
    /// The modules of this package that it imports.
    let imports: Set<String>
    /// The packages and system libraries that it may import.
    let foreign: Set<String>
    /// Its folders, lowest first.
    let folders: [Folder]

    init(
        _ name: String, _ floor: Floor, path: String? = nil, imports: Set<String> = [], foreign: Set<String> = [],
        folders: [Folder] = [Folder("")]
    ) {
        self.name = name
        self.floor = floor
        // The client library is a package of its own.
        self.path = path ?? (floor == .apps ? "Clients/Swift/" : "") + "Sources/\(name)"
        self.imports = imports
        self.foreign = foreign
        self.folders = folders
    }
}
