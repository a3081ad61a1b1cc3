import HTTPServer
import HTTPWire
import JOSE
import Synchronization

/// Sends a key set whose keys change while the server runs. It never sends one that may lack a key.
final class KeySetHandler: RespondingHandler {
    private let name: AutomaticKeySets.Name
    private let sets: AutomaticKeySets
    private let keys: JWKSet
    /// The last file, and the names of its automatic keys.
    private let last = Mutex<(keyIDs: [String?], file: StaticFile)?>(nil)

    /// Returns the handler of a key set: of a file in memory if all its keys are in files. Nil if there is no such set.
    static func make(_ name: AutomaticKeySets.Name, _ files: PublicFiles) -> (any RouteHandler)? {
        guard let keys = files.keySets[name] else { return nil }
        guard let sets = files.automaticKeys else { return FileHandler(StaticFile(keys: keys)) }
        return KeySetHandler(name, keys, sets)
    }

    private init(_ name: AutomaticKeySets.Name, _ keys: JWKSet, _ sets: AutomaticKeySets) {
        self.name = name
        self.keys = keys
        self.sets = sets
    }

    nonisolated(nonsending) func respond(
        to context: RequestContext, _: String
    ) async throws(Problem) -> Response {
        guard let automatic = await self.sets.read(self.name) else { throw Problem(.storeUnavailable) }
        let response = self.file(with: automatic).response(to: context.request)
        guard response.status != .preconditionFailed else { throw Problem(.preconditionFailed) }
        return response
    }

    private func file(with automatic: JWKSet) -> StaticFile {
        let keyIDs = automatic.keys.map(\.keyID)
        return self.last.withLock { last in
            if let last, last.keyIDs == keyIDs { return last.file }
            let file = StaticFile(keys: self.keys.adding(automatic), lifetime: self.sets.lifetime)
            last = (keyIDs, file)
            return file
        }
    }
}
