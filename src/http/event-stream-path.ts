/** Path of the stream of events. */
export const EVENT_STREAM_PATH = "/v2/events/stream";
