/// The accessibility identifier of every visible indicator, for UI tests.
let networkActivityIdentifier = "NetworkActivity"
