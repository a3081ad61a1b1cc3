import Synchronization

/// The faults that a page offers: those of its system that can still take effect in its kind of login.
struct FaultMenu: Hashable, Sendable {
    let system: SandboxSystem
    let flow: PageFlow
    /// What the login has, of all that faults need.
    var met: Set<FaultNeed> = []

    /// Built once for each menu.
    var options: [Markup] {
        Self.built.withLock { optionsByMenu in
            if let options = optionsByMenu[self] { return options }
            let options = Self.groups(of: self.faults)
            optionsByMenu[self] = options
            return options
        }
    }

    var faults: [SandboxFault] {
        SandboxFault.all.filter { fault in
            fault.systems.contains(self.system) && fault.effect.flows.contains(self.flow)
                && fault.need.map(self.met.contains) != false
        }
    }

    private static let built = Mutex<[Self: [Markup]]>([:])

    /// Returns the options under their headings.
    static func groups(of faults: [SandboxFault]) -> [Markup] {
        var places: [(name: String, options: [Markup])] = []
        for fault in faults {
            let option: Markup = "<option value=\"\(fault.name)\">\(fault.title)</option>\n"
            if let index = places.firstIndex(where: { $0.name == fault.effect.place }) {
                places[index].options.append(option)
            } else {
                places.append((fault.effect.place, [option]))
            }
        }
        return places.map { "<optgroup label=\"\($0.name)\">\n\($0.options)</optgroup>\n" }
    }
}
