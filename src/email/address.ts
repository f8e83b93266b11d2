import { hostName } from "../config/host-name.ts";

export interface Mailbox {
  /** Display name; empty if there is none. */
  name: string;
  address: string;
}

/** The part before the `@`: unquoted characters of any script, in parts separated by dots. */
const LOCAL_PART = /^[^\s\p{C}@.,:;<>()[\]\\"]+(\.[^\s\p{C}@.,:;<>()[\]\\"]+)*$/u;

/** Returns whether the text is a bare address such as `ada@example.com`, without display name, quotes or comments. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (text.length > 254 || local.length > 64 || !LOCAL_PART.test(local)) return false;
  // hostName drops invisible characters, such as a zero-width space.
  return !/\p{C}/u.test(domain) && hostName(domain) !== undefined;
}

/** Returns the address in a stored text without white space around it, or undefined if it has anything else. */
export function trimEmailAddress(text: string): string | undefined {
  const trimmed = text.trim();
  return isEmailAddress(trimmed) ? trimmed : undefined;
}

/** Parses `ada@example.com` or `Ada Lovelace <ada@example.com>`. */
export function getMailbox(text: string): Mailbox {
  const [, name, address] = /^(.*)<([^<>]*)>\s*$/.exec(text) ?? [];
  return address === undefined
    ? { name: "", address: text.trim() }
    : { name: (name ?? "").trim().replace(/^"(.*)"$/, "$1"), address: address.trim() };
}

/** Returns the address that a stored text names: alone, behind a name in angle brackets, or as a `mailto:` URL. */
export function findAddress(text: string): string {
  return getMailbox(text)
    .address.replace(/^mailto:([^?]*).*$/is, "$1")
    .trim();
}

/** Returns the domain of an address in lower case and punycode. */
export function getDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return hostName(domain) ?? "localhost";
}
