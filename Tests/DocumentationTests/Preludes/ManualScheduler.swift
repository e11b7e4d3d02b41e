import Testing

let scheduler = ManualScheduler()
