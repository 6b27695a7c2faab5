import CCurl

/// The version of libcurl that this process would run with, which is the system's: `7.88.1`; nil when there
/// is none.
public var curlVersion: String? {
  ccurl_load() == nil ? String(cString: ccurl_version()) : nil
}
