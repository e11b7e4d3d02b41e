enum Help {
    static let version = "fetch unreleased"

    static let text = """
        Usage: fetch [OPTION]... [URL]...
        Downloads files, several at once, and shows their progress on the terminal.
        Without a URL it serves 24 files itself and fetches them, as a demonstration.

        Files:
          -o, --output PATH       write one URL to this file; write to this directory
                                  if there are several URLs, or if PATH is a directory
                                  or ends in '/' (default: the current directory)
              --force             replace existing files
          -c, --continue          skip files that exist, whatever they contain

        Requests:
          -j, --jobs N            downloads at once, 1 to 64 (default: 6)
              --timeout SECONDS   give up on a server that sends nothing for this
                                  time, 1 to 86400 (default: 60)
              --retries N         try again after lost and refused connections, failed
                                  host lookups, timeouts and the statuses 408, 429,
                                  502, 503 and 504, up to N times for each file,
                                  0 to 100 (default: 2)
              --wait-for-connectivity
                                  while the machine is offline, wait instead of failing

        Output:
              --progress-rows N   add rows for the N slowest transfers, 0 to 20
                                  (default: 4 for several files, 0 for one file)
              --timeline FILE     write a trace of the run for ui.perfetto.dev
          -q, --quiet             print errors and warnings only
          -h, --help              print this help and exit
              --version           print the version and exit

        A file is named after the last part of its URL's path, or 'index.html'. If two
        URLs give one name, the second file gets '-2' before its extension.

        A download is written to a hidden '.part' file beside its target. fetch keeps
        this part after a failure or Ctrl-C if the server can resume it, and the next
        run resumes it if the file on the server is the same. A second Ctrl-C ends fetch
        at once. 'until fetch -c ...; do sleep 9; done' fetches nothing twice.

        Exit status: 0 if every file was fetched or skipped, 1 if a file was not fetched
        or output could not be written, 2 if the command line is wrong, 130 after Ctrl-C
        (SIGINT), 143 after SIGTERM.
        """
}
