import ArgumentParser
import Base
import ServerConfiguration
import Switchback

/// `switchback pages`: shows what users will see.
struct PagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pages", abstract: "Look at the pages that users see.", subcommands: [PreviewPages.self])
}

/// `switchback pages preview`: writes one HTML file with every page in every language.
struct PreviewPages: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Write one HTML file with every page in every language, light and dark.",
        discussion: """
            Open the file in a browser. It loads nothing from anywhere. With a configuration it shows the pages with the \
            look of an app, otherwise those of an example. An earlier preview is overwritten, and no other file.

            Examples:
              switchback pages preview
              switchback pages preview --config switchback.yaml --app shop \\
                --output shop.html
            """)

    @OptionGroup var options: ConfigurationOptions

    @Option(name: .long, help: "The app to show. Default: the default app.")
    var app: String?

    @Option(name: .long, help: "The file to write, or - for standard output.", completion: .file())
    var output = "pages.html"

    func run() throws {
        if self.app != nil, !self.options.namesConfiguration {
            throw OperatorError("--app needs the configuration that has the app: use --config FILE")
        }
        let page =
            self.options.namesConfiguration
            ? try ConfiguredPreview.html(try self.options.load(), app: self.app)
            : try ConfiguredPreview.html(publicFolder: self.options.publicDir)
        guard self.output != "-" else { return Console.printResult(page) }
        do throws(FileError) {
            try SystemFile.replace(self.output, Array(page.utf8), mark: Array(ConfiguredPreview.mark.utf8))
        } catch {
            throw OperatorError(error, of: self.output)
        }
        Console.printBanner("Wrote \(self.output). Open it in a browser.")
    }
}
