import Testing

/// The pages show what is made from the table of modules.
@Suite struct DrawingTests {
    @Test func `the architecture page shows the table of modules`() throws {
        let table = try Drawing.table(of: House.modules, top: "../../")
        try DrawnPart(path: "docs/explanation/architecture.md", name: "modules")
            .expect(Drawing.picture(of: House.modules) + "\n" + table)
    }

    @Test func `the page of a module shows its folders`() throws {
        for (table, modules) in [("House", House.modules), ("Wing", Wing.modules)] {
            for module in modules where module.folders.count > 1 {
                try DrawnPart(path: ModulePage.path(of: module), name: "folders", table: table)
                    .expect(Drawing.folders(of: module))
            }
        }
    }
}
