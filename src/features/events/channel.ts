/** Channel by which processes notify each other that organizations have new events. */
export const EVENTS_CHANNEL = "colloquy_events";
