/** Error that stops the start; its message says what the operator must set. */
export class ConfigurationError extends Error {}
