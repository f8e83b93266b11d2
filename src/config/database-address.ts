interface DatabaseAddresses {
  /** The address of each host, as URL parses it, in their order. */
  addresses?: string[];
  /** Rule that the address violates. */
  rule?: string;
}

/**
 * Parses an address, which may list several hosts, such as `postgresql://user@a:5432,b:5432/database`. In libpq's form
 * it may lack the host: the parameter `host` or `localhost` then applies.
 */
export function readDatabaseAddresses(text: string): DatabaseAddresses {
  const [, start, hosts = "", rest] = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  if (start === undefined) return { rule: "must be an address that starts with postgres:// or postgresql://" };
  const list = hosts.split(",");
  if (list.length > 1 && list.includes(""))
    return { rule: "must be an address with a host before and after each comma" };
  const addresses = list.map((host) => withHost(`${start}${host}${rest}`));
  if (addresses.every(isWhole)) return { addresses };
  // An address that is valid without user and password has its fault in them.
  if (addresses.every((address) => isWhole(address.replace(/\/\/.*@/, "//")))) {
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
