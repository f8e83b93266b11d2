interface DatabaseAddress {
  /** The address as URL parses it. */
  address?: string;
  /** Rule that the address violates. */
  rule?: string;
}

/** Parses an address. In libpq's form it may lack the host: the parameter `host` or `localhost` then applies. */
export function readDatabaseAddress(text: string): DatabaseAddress {
  const [, host] = /^postgres(?:ql)?:\/\/(?:[^/?#]*@)?([^/?#]*)/s.exec(text) ?? [];
  if (host === undefined) return { rule: "must be an address that starts with postgres:// or postgresql://" };
  if (host.includes(","))
    return { rule: "must be an address of one host, for a Citus cluster that of its coordinator" };
  const address = withHost(text);
  if (isWhole(address)) return { address };
  // If the address is valid without user and password, the error is in them.
  if (isWhole(address.replace(/\/\/.*@/, "//"))) {
    return { rule: "must have the characters % : / ? # @ of its user and password percent-encoded, such as %23 for #" };
  }
  return { rule: "must be an address like postgresql://user:password@host:5432/database" };
}

function withHost(address: string): string {
  return URL.canParse(address) ? address : address.replace(/^(\w+:\/\/([^/?#]*@)?)(?=[:/?]|$)/, "$1localhost");
}

/** Returns whether the URL is complete: an unencoded / or # in a password would start the path. */
function isWhole(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.hash === "" && !url.pathname.includes("@");
}
