/** Path of the stream of events. */
export const EVENT_STREAM_PATH = "/v2/events/stream";

/** Lists whose parameter is repeated for each item, which may contain commas. */
export const REPEATED_PARAMETERS = ["documentIds"];
