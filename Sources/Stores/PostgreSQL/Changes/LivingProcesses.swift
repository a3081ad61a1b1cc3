/// Which processes on the database live, as told by the names of its sessions. It is a value, so that a table of tests
/// can cover its decisions.
///
/// The names are read about once a second, always by the same session. So PostgreSQL went on between two readings, and
/// a process whose sessions are all gone has ended or has lost its network. A process has ended if two readings in a
/// row miss it: one that lives is back before that.
struct LivingProcesses {
    /// The session that has read the names so far. What another session has seen before does not count: after a restart
    /// of the database every process is missing at first.
    private var session = 0
    private var present: Set<String> = []
    private var missing: Set<String> = []
    /// The processes that have ended, and that nobody has taken yet.
    private(set) var ended: Set<String> = []

    /// Takes the names that this session has read.
    mutating func note(_ names: Set<String>, by session: Int) {
        if self.session != session { self = LivingProcesses(session: session) }
        self.ended.formUnion(self.missing)
        self.ended.subtract(names)
        self.missing = self.present.subtracting(names)
        self.present = names
    }

    /// Forgets processes whose work has been taken.
    mutating func forget(_ names: Set<String>) { self.ended.subtract(names) }

    func contains(_ name: String) -> Bool { self.present.contains(name) }

    /// Whether no other process comes before this one. Also true for a process that is not seen itself. The sessions of
    /// other programs may look like processes, but their last words are no names of ours.
    func isFirst(_ name: String) -> Bool {
        guard self.present.contains(name) else { return true }
        return self.present.filter(ProcessName.isName).min() == name
    }

    init() {}

    private init(session: Int) { self.session = session }
}
