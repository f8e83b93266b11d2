interface DatabaseAddress {
  /** As URL parses it. */
  address?: string;
  /** What it must be, and is not. */
  rule?: string;
}

/** In libpq's form it may lack the host, which is then `localhost`, or what the parameter `host` says. */
export function readDatabaseAddress(text: string): DatabaseAddress {
  if (!/^postgres(ql)?:\/\//.test(text)) {
    return { rule: "must be an address that starts with postgres:// or postgresql://" };
  }
  const address = URL.canParse(text) ? text : text.replace(/^(\w+:\/\/([^/?#]*@)?)(?=[:/?]|$)/, "$1localhost");
  if (isWhole(address)) return { address };
  // The fault is in user and password where without them there is none.
  if (isWhole(address.replace(/\/\/.*@/, "//"))) {
    return { rule: "must have the characters % : / ? # @ of its user and password percent-encoded, such as %23 for #" };
  }
  return { rule: "must be an address like postgresql://user:password@host:5432/database" };
}

/** Not where the rest of a password, behind its unencoded / or #, would be taken for a path. */
function isWhole(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.hash === "" && !url.pathname.includes("@");
}
