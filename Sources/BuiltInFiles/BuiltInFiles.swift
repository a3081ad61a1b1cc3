/// The files of the folder `Public`, built into the program, so that it runs from any folder.
package enum BuiltInFiles {
    /// By path, such as `strings/da.yaml`. The plugin EmbedFiles writes the table at each build.
    package static let all: [String: String] = embeddedFiles
}
