import Base
import Cryptography
import Synchronization

/// The digests of a configuration's files, to see later whether one of them has changed.
package struct FileDigests: Equatable, Sendable {
    /// SHA-256 of each file by its path; nil for one that could not be read.
    private let digests: [String: [UInt8]?]
    /// When each file was written, if its age matters. A file that was downloaded again is fresh even if its bytes are equal.
    private let times: [String: Timestamp?]

    private init(_ digests: [String: [UInt8]?], _ times: [String: Timestamp?]) {
        self.digests = digests
        self.times = times
    }

    /// Returns the digests of the same files as they are now.
    func reread(_ files: FileAccess) -> FileDigests {
        FileDigests(
            Dictionary(
                uniqueKeysWithValues: self.digests.keys.map { path in
                    (path, (try? files.read(path)).map { Digest.sha256.hash($0) })
                }), Dictionary(uniqueKeysWithValues: self.times.keys.map { ($0, files.modified($0)) }))
    }

    /// Returns the sorted paths of the files that differ.
    package func changes(since former: FileDigests) -> [String] {
        let paths = Set(self.digests.keys).union(former.digests.keys)
        return paths.filter { self.digests[$0] != former.digests[$0] || self.times[$0] != former.times[$0] }.sorted()
    }

    /// Records each file that is read through its `access`.
    final class Recorder: Sendable {
        private let files: FileAccess
        private let digests = Mutex<[String: [UInt8]?]>([:])
        private let times = Mutex<[String: Timestamp?]>([:])

        init(_ files: FileAccess) { self.files = files }

        var digest: FileDigests { FileDigests(self.digests.withLock { $0 }, self.times.withLock { $0 }) }

        var access: FileAccess {
            var access = FileAccess(
                read: { path throws(FileError) in
                    do throws(FileError) {
                        let bytes = try self.files.read(path)
                        self.note(path, Digest.sha256.hash(bytes))
                        return bytes
                    } catch {
                        self.note(path, nil)
                        throw error
                    }
                }, isFolder: self.files.isFolder)
            access.exists = self.files.exists
            access.absolute = self.files.absolute
            access.isContainer = self.files.isContainer
            access.permissions = self.files.permissions
            access.modified = { path in
                let time = self.files.modified(path)
                self.times.withLock { $0[path] = .some(time) }
                return time
            }
            return access
        }

        private func note(_ path: String, _ digest: [UInt8]?) {
            self.digests.withLock { $0[path] = .some(digest) }
        }
    }
}
