/// The table of the sandbox, which is a wing beside the house: it plays brokers and phones for tests, so it is no part of
/// the server's map. It uses the lowest floors of the house, and of the house only the command `sandbox` uses it.
enum Wing {
    /// The floors that it may use. It reads the protocols of logins with code of its own (decision 15).
    static let floors: Set<Module.Floor> = [.base, .transport]

    static let modules: [Module] = [
        Module(
            "Sandbox", .wiring, path: "Sandbox",
            imports: ["Base", "Cryptography", "EventLoop", "HTTPServer", "HTTPWire", "JOSE", "StrictJSON"],
            // Its phone is an app, and asks the library that apps use what to do next.
            foreign: ["CZlib", "Foundation", "SwitchbackClient", "Synchronization"],
            folders: [
                Module.Folder("Pages"),
                Module.Folder("Values"),
                Module.Folder("Registration", uses: ["Values"]),
                Module.Folder("Authorization", uses: ["Pages", "Registration", "Values"]),
                Module.Folder("Tokens", uses: ["Registration"]),
                Module.Folder("Faults", uses: ["Authorization", "Registration", "Tokens", "Values"]),
                Module.Folder("Choices", uses: ["Faults", "Pages", "Registration", "Values"]),
                Module.Folder("Calls", uses: ["Pages", "Values"]),
                Module.Folder("Tabs", uses: ["Calls", "Pages"]),
                Module.Folder("Phone", uses: ["Calls", "Faults", "Pages", "Tabs", "Values"]),
                Module.Folder("API", uses: ["Calls", "Faults", "Pages", "Phone", "Values"]),
                Module.Folder(
                    "Core",
                    uses: [
                        "Authorization", "Choices", "Faults", "Pages", "Registration", "Tokens", "Values",
                    ]),
                Module.Folder("Clients", uses: ["Authorization", "Core", "Registration", "Values"]),
                Module.Folder(
                    "Endpoints",
                    uses: [
                        "Authorization", "Choices", "Clients", "Core", "Pages", "Registration", "Values",
                    ]),
                Module.Folder("Orders", uses: ["Authorization", "Core", "Faults", "Registration", "Values"]),
                Module.Folder(
                    "Systems/DigiD",
                    uses: [
                        "Authorization", "Choices", "Clients", "Core", "Faults", "Pages", "Registration", "Values",
                    ]),
                Module.Folder(
                    "Systems/Idura",
                    uses: [
                        "Authorization", "Choices", "Clients", "Core", "Faults", "Orders", "Pages", "Registration",
                        "Values",
                    ]),
                Module.Folder(
                    "Systems/NetsEID",
                    uses: [
                        "Authorization", "Choices", "Clients", "Core", "Faults", "Orders", "Pages", "Registration",
                        "Values",
                    ]),
                Module.Folder("Systems/Vipps", uses: ["Authorization", "Core", "Faults", "Registration", "Values"]),
                Module.Folder(
                    "Provider",
                    uses: [
                        "Calls", "Core", "Endpoints", "Faults", "Pages", "Registration", "Systems/DigiD",
                        "Systems/Idura", "Systems/NetsEID", "Systems/Vipps", "Values",
                    ]),
            ])
    ]
}
