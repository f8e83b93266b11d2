/** Channel on which processes tell each other that organizations have new events. */
export const EVENTS_CHANNEL = "colloquy_events";
