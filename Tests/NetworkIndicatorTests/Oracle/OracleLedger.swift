import NetworkIndicator
import NetworkIndicatorTestKit

@MainActor
final class OracleLedger {
    let monitor = RecordingMonitor()
    private var read = 0
    private var open: [UInt64: String] = [:]
    private var isOn = false

    func violation(_ promises: OraclePromises?) -> String? {
        for event in monitor.events.dropFirst(read) {
            read += 1
            switch event {
            case .began(let info): open[info.id] = info.label ?? "counted"
            case .ended(let info, _):
                if open.removeValue(forKey: info.id) == nil { return "monitors received an end without a begin" }
            case .visibilityChanged(let isVisible): isOn = isVisible
            case .stillRunning, .misuse: break
            }
        }
        guard let promises else {
            return open.isEmpty && !isOn ? nil : "monitors received no end from the released manager"
        }
        if isOn != promises.isOn { return "monitors received no change of the visibility" }
        var names = open.values.sorted()
        for live in promises.liveNames {
            guard let index = names.firstIndex(of: live.hasPrefix("counted") ? "counted" : live) else {
                return "monitors received no begin, or the end of a live task"
            }
            names.remove(at: index)
        }
        let unreported = promises.unreportedNames
        return names.allSatisfy(unreported.contains) ? nil : "monitors received an end too late"
    }
}
