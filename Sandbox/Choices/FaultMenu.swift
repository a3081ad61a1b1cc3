import Synchronization

/// The faults that a page offers: those of its system that can still take effect in its kind of login.
struct FaultMenu: Sendable {
    private struct Key: Hashable {
        let system: SandboxSystem
        let flow: PageFlow
        /// What the login has, of all that faults need.
        let met: Set<FaultNeed>
    }

    let options: [Markup]

    /// The options are built once for each kind of page. `faults` are those of all systems.
    init(_ faults: [SandboxFault], of system: SandboxSystem, in flow: PageFlow, met: Set<FaultNeed>) {
        let key = Key(system: system, flow: flow, met: met)
        self.options = Self.built.withLock { optionsByKey in
            if let options = optionsByKey[key] { return options }
            let offers = faults.filter { fault in
                fault.systems.contains(system) && fault.effect.flows.contains(flow)
                    && fault.need.map(met.contains) != false
            }
            let options = Self.groups(of: offers)
            optionsByKey[key] = options
            return options
        }
    }

    private static let built = Mutex<[Key: [Markup]]>([:])

    /// Returns the options under their headings.
    static func groups(of faults: [SandboxFault]) -> [Markup] {
        var places: [(name: String, options: [Markup])] = []
        for fault in faults {
            let option: Markup = "<option value=\"\(fault.name)\">\(fault.title) → \(fault.end)</option>\n"
            if let index = places.firstIndex(where: { $0.name == fault.effect.place }) {
                places[index].options.append(option)
            } else {
                places.append((fault.effect.place, [option]))
            }
        }
        return places.map { "<optgroup label=\"\($0.name)\">\n\($0.options)</optgroup>\n" }
    }
}
