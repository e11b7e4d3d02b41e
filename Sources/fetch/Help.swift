/// What `--help` and `--version` print.
enum Help {
    static let version = "fetch 1.0.0"

    static let text = """
        Usage: fetch [OPTION]... [URL]...
        Downloads files, several at once, and shows on the terminal that it is busy.
        Without a URL it serves 24 files itself and fetches them, as a demonstration.

          -o, --output DIR        write to this directory, made where it is missing
                                  (default: the current one)
          -j, --jobs N            how many downloads at once, \(range(Arguments.jobsRange)) (default: \(Arguments().jobs))
              --force             replace files that exist
              --timeout SECONDS   give up on a server that is silent for so long,
                                  \(range(Arguments.timeoutRange)) (default: \(Arguments().timeout))
              --retries N         try again after failed and lost connections, timeouts
                                  and the statuses 408, 429, 502, 503 and 504, up to N
                                  times for each file, \(range(Arguments.retriesRange)) (default: \(Arguments().retries))
              --wait-for-connectivity
                                  while the machine is offline, wait instead of failing;
                                  for as long as it takes
              --indicator WHEN    auto, always or never; drawn on standard error, and
                                  only where that is a terminal; always: under CI and
                                  with TERM=dumb, too (default: auto)
              --timeline FILE     write a trace of the run: a row for each download, its
                                  attempts and waits, and one for the indicator; for
                                  ui.perfetto.dev and chrome://tracing
          -q, --quiet             print errors only
          -h, --help              print this and exit
              --version           print the version and exit

        A file is named after the last part of its URL's path, made safe: 'index.html'
        where there is none. Where two URLs give one name, the second file is NAME-2,
        the third NAME-3, before the extension. A file that exists already is an error,
        unless --force is given. A download is written under a temporary name beside
        its target, '.NAME.XXXXXX.part', and nothing of it stays where it fails. What is
        tried again continues where it broke off, if the server vouches by a strong
        ETag that the file is still the same; otherwise it starts over.

        Each file that is complete is a line on standard output: status, size, time and
        path. A summary follows. Errors, and lines that tell of retries ("retrying in
        0.8 s (2 of 3)" announces the second of at most three attempts), go to standard
        error. While every download waits, the indicator is off.

        Exit status: 0 all files were fetched, 1 something was not fetched or not
        written, 2 wrong usage.
        """

    static let hint = "Try 'fetch --help'."

    private static func range(_ range: ClosedRange<Int>) -> String { "\(range.lowerBound)...\(range.upperBound)" }
}
