/** Error that stops the start; its message tells the operator what to set. */
export class ConfigurationError extends Error {}
