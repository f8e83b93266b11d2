import { createDecoder, readVarString, readVarUint } from "lib0/decoding";

const AUTHENTICATION = 2;
const TOKEN = 0;

/** Returns the token of the message with which clients begin, or undefined for any other message. */
export function getToken(message: Uint8Array): string | undefined {
  try {
    const decoder = createDecoder(message);
    readVarString(decoder);
    const isToken = readVarUint(decoder) === AUTHENTICATION && readVarUint(decoder) === TOKEN;
    return isToken ? readVarString(decoder) : undefined;
  } catch {
    return undefined;
  }
}
