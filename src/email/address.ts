import { hostName } from "../host-name.ts";

/** Characters that stand for themselves in front of the `@`, in whatever script, in parts divided by dots. */
const LOCAL_PART = /^[^\s\p{C}@.,:;<>()[\]\\"]+(\.[^\s\p{C}@.,:;<>()[\]\\"]+)*$/u;

/** An address alone, as in `ada@example.com`, without a display name, quotes or comments. */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  return text.length <= 254 && local.length <= 64 && LOCAL_PART.test(local) && hostName(domain) !== undefined;
}
