let recorder = try TimelineRecorder(writingTo: URL(filePath: "run.json"))
