import NetworkIndicator
import NetworkIndicatorTestKit
import Testing

final class Download {}
@MainActor let scheduler = ManualScheduler()
@MainActor let indicator = RecordingIndicator()
@MainActor let manager = NetworkIndicatorManager(configuration: .standard, scheduler: scheduler)
