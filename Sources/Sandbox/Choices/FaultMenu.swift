/// The faults that a page offers: those of its system that can still take effect in its kind of login.
struct FaultMenu: Hashable, Sendable {
    let system: SandboxSystem
    let flow: PageFlow

    /// Built once for each menu.
    var options: [Markup] { Self.built[self] ?? [] }

    var faults: [SandboxFault] {
        SandboxFault.all.filter { $0.systems.contains(self.system) && $0.effect.flows.contains(self.flow) }
    }

    private static let built: [Self: [Markup]] = {
        let menus = SandboxSystem.allCases.flatMap { system in PageFlow.allCases.map { Self(system: system, flow: $0) }
        }
        return Dictionary(uniqueKeysWithValues: menus.map { ($0, Self.groups(of: $0.faults)) })
    }()

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
