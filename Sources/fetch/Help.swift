/// The output of `--help` and `--version`.
enum Help {
    static let version = "fetch unreleased"

    static let text = """
        Usage: fetch [OPTION]... [URL]...
        Downloads files, several at once, and shows their progress on the terminal.
        Without a URL it serves 24 files itself and fetches them, as a demonstration.

        Files:
          -o, --output PATH       write one URL to this file; write to this directory
                                  if there are several URLs, or if PATH is a directory
                                  or ends in '/' (default: the current directory);
                                  '-o -' writes one file to standard output
          -i, --input-file FILE   also fetch the URLs in this file, one on each line;
                                  '-i -' reads them from standard input
              --force             replace existing files
          -c, --continue          continue an earlier run: skip files that exist,
                                  whatever they contain, and continue parts of files
              --max-size BYTES    refuse larger files; BYTES may end in k, M, G or T
                                  (powers of 1000), or Ki, Mi, Gi or Ti (of 1024)

        Requests:
          -j, --jobs N            downloads at once, \(range(Arguments.jobsRange)) (default: \(Arguments().jobs))
          -H, --header 'NAME: VALUE'
                                  send this header field; may be repeated; redirects
                                  to another scheme, host or port do not send it
          -A, --user-agent NAME   send this User-Agent (default: \(Arguments().userAgent))
              --timeout SECONDS   give up on a server that sends nothing for this
                                  time, \(range(Arguments.timeRange)) (default: \(Arguments().timeout))
              --max-time SECONDS  give up on a file after this time, with all retries
              --speed-limit BYTES
                                  give up on a file that receives fewer bytes a second
                                  for the time of --speed-time
              --speed-time SECONDS
                                  the time for --speed-limit (default: \(Arguments().speedTime))
              --retries N         try again after lost and refused connections, failed
                                  host lookups, timeouts and the statuses 408, 429,
                                  502, 503 and 504, up to N times for each file,
                                  \(range(Arguments.retriesRange)) (default: \(Arguments().retries))
              --wait-for-connectivity
                                  while the machine is offline, wait instead of failing

        Output:
              --indicator WHEN    auto, always or never: when to show progress, on
                                  standard error and only if that is a terminal;
                                  'always' includes CI and TERM=dumb (default: auto)
              --progress-rows N   add rows for the N slowest transfers, \(range(Arguments.progressRowsRange))
                                  (default: \(Arguments().progressRows))
              --timeline FILE     write a trace of the run for ui.perfetto.dev
          -q, --quiet             print errors and warnings only
          -h, --help              print this help and exit
              --version           print the version and exit

        A file is named after the last part of its URL's path, or 'index.html'. If two
        URLs give one name, the second file gets '-2' before its extension. An existing
        file is an error unless --force or --continue is given. A file's modification
        time is the one the server states. In a list of URLs, blank lines and lines
        that begin with '#' are ignored.

        A download is written to a hidden file beside its target, with a name that ends
        in '.part'. After a failure or an interruption, fetch keeps this part if the
        server accepts ranges and has sent a strong ETag, or a Last-Modified time that
        is old enough. With --continue, fetch resumes the part if the server confirms
        that the file is the same. Otherwise the download starts over. Files get their
        names when they are complete, so 'until fetch -c …' fetches nothing twice.

        Each complete file is a line on standard output: status, size, time and path;
        on a terminal also the rate. A summary follows if there are several. With
        '-o -' these lines go to standard error, as errors and announcements of retries
        do. On SIGINT, SIGTERM and SIGHUP, fetch prints what it kept, and then ends.

        On Linux, fetch checks certificates against those of the system; it can't use a
        file of other certificate authorities.

        Exit status: 0 if every file was fetched or skipped, 1 if a file was not fetched
        or output could not be written, 2 if the command line is wrong.
        """

    static let hint = "Try 'fetch --help'."

    private static func range(_ range: ClosedRange<Int>) -> String { "\(range.lowerBound)...\(range.upperBound)" }
}
