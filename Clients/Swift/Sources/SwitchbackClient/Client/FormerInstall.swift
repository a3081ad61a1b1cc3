import Foundation

/// Deletes what a former install of the app left in the Keychain, which outlives the app. The first access after an
/// install does it, and a file of the app remembers that.
final class FormerInstall: Sendable {
    /// What the file says.
    enum Marker: Hashable, Sendable {
        /// There is none: the app was installed, or had an older version of the library.
        case missing
        /// A deletion was begun, and may not have ended.
        case begun
        /// Everything in the Keychain is of this install.
        case complete
        /// It cannot be read now, such as before the first unlock of the device.
        case unreadable
    }

    /// What follows from the file.
    enum Step: Hashable, Sendable {
        /// Everything stays. If the file could not be read, the next access looks again.
        case keep
        /// The file is written first, so that nobody is signed out later if it cannot be.
        case begin
        case delete
    }

    /// One turn for the process: an app has several clients, and the second must not delete what the first has stored.
    private static let turn = Locked(())

    private let file: URL?
    private let isExtension: Bool
    private let delete: @Sendable () throws -> Void
    private let isDone = Locked(false)

    /// Without a file nothing is ever deleted. `delete` deletes everything, and throws if it cannot now.
    init(file: URL?, isExtension: Bool, delete: @escaping @Sendable () throws -> Void) {
        (self.file, self.isExtension, self.delete) = (file, isExtension, delete)
    }

    /// An extension has files of its own, so it never knows whether the app was installed anew.
    static func step(_ marker: Marker, isExtension: Bool) -> Step {
        switch marker {
        case .missing where !isExtension: .begin
        case .begun where !isExtension: .delete
        case .missing, .begun, .complete, .unreadable: .keep
        }
    }

    /// Does what is due. Throws if what a former install left is still there: nothing may be read or stored then.
    func clean() throws {
        guard !self.isDone.withLock({ $0 }) else { return }
        try Self.turn.withLock { _ in Result { try self.cleanInTurn() } }.get()
    }

    private func cleanInTurn() throws {
        guard let file else { return }
        let marker = Self.marker(file)
        var step = Self.step(marker, isExtension: self.isExtension)
        if step == .begin { step = Self.write(Self.begun, to: file) ? .delete : .keep }
        if step == .delete {
            try self.delete()
            self.isDone.withLock { $0 = true }
            _ = Self.write(Self.complete, to: file)
        } else if marker == .complete || self.isExtension {
            self.isDone.withLock { $0 = true }
        }
    }

    // MARK: - The file

    private static let (begun, complete) = (Data("begun".utf8), Data("complete".utf8))

    /// Whatever else stands in the file, the app has written it.
    static func marker(_ file: URL) -> Marker {
        do {
            return try Data(contentsOf: file) == Self.begun ? .begun : .complete
        } catch CocoaError.fileReadNoSuchFile {
            return .missing
        } catch {
            return .unreadable
        }
    }

    private static func write(_ bytes: Data, to file: URL) -> Bool {
        #if canImport(Darwin) && !os(macOS)
        let options: Data.WritingOptions = [.atomic, .noFileProtection]
        #else
        let options: Data.WritingOptions = [.atomic]
        #endif
        let folder = file.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try bytes.write(to: file, options: options)
            return true
        } catch {
            return false
        }
    }
}
