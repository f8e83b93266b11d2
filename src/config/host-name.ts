import { domainToASCII } from "node:url";

/** Browsers open hosts with underscores, which no registry assigns but the owner of a domain can. */
const LABEL = /^[a-z\d_]([a-z\d_-]{0,61}[a-z\d_])?$/;

/**
 * Returns a host name in lower case and punycode, without a dot at its end. Returns undefined unless the text is
 * `localhost` or a name of at least two labels; an IP address is not a name.
 */
export function hostName(text: string): string | undefined {
  // domainToASCII would decode or drop these characters, or stop at them.
  if (/[%\\/?#@:\s\p{Cc}]/u.test(text)) return undefined;
  const name = domainToASCII(text).replace(/\.$/, "");
  const labels = name.split(".");
  const isName = name.length <= 253 && labels.every((label) => LABEL.test(label));
  // What ends in a number is read as an IP address.
  return isName && (labels.length > 1 || name === "localhost") && !/^\d+$/.test(labels.at(-1) ?? "") ? name : undefined;
}
