import Foundation
import PackagePlugin

/// Builds the files of a folder into a module: those of `Public` into BuiltInFiles, and those of a folder `Web` or `Words`
/// into the module that it stands in. The folder stays their only source.
@main struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let isBuiltIn = target.name == "BuiltInFiles"
        let home = isBuiltIn ? context.package.directoryURL : target.directoryURL
        let name = isBuiltIn ? "Public" : target.name == "LoginAPI" ? "Words" : "Web"
        let folder = home.appending(path: name, directoryHint: .notDirectory)
        let script = context.package.directoryURL.appending(path: "Plugins/EmbedFiles/embed")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        // The folders are inputs too: their times change when a file comes or goes.
        let inputs = [folder] + names.map { folder.appending(path: $0, directoryHint: .notDirectory) }
        return [
            .buildCommand(
                displayName: "Embedding the files of \(folder.lastPathComponent)",
                executable: URL(filePath: "/bin/sh"), arguments: [script.path, folder.path, output.path],
                inputFiles: [script] + inputs, outputFiles: [output])
        ]
    }
}
