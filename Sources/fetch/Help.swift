enum Help {
    static let text = """
        Usage: fetch [OPTION]... [URL]...
        Downloads files, several at once, and shows their progress on the terminal.
        Without a URL, it serves 24 files itself and fetches them, as a demonstration.

          -o, --output PATH    write to this file or directory ('PATH/' is a directory)
              --force          replace existing files
          -c, --continue       skip files that exist, whatever they contain
          -j, --jobs N         downloads at once, 1 to 64 (default: 6)
              --retries N      retries without progress, 0 to 100 (default: 2)
              --timeline FILE  write a trace of the run for ui.perfetto.dev
          -q, --quiet          print errors and warnings only
          -h, --help           print this help and exit

        A file is named after the last part of its URL's path, or 'index.html'. If two
        URLs give one name, the second file gets '-2' before its extension.

        A failure or Ctrl-C keeps a hidden '.part' file, which the next run resumes if
        the server permits it. A second Ctrl-C ends fetch at once.

        Exit status: 0 if every file was fetched or skipped, 1 after an error, 2 if the
        command line is wrong, 130 after Ctrl-C, 143 after SIGTERM.
        """
}
