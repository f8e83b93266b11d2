interface DatabaseAddress {
  /** The address as URL parses it; one of several hosts is as it was given. */
  address?: string;
  /** Rule that the address violates. */
  rule?: string;
}

/** Scheme, user and password; the hosts; and the rest. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** Values of `target_session_attrs` that mean the primary. */
const PRIMARY = ["read-write", "primary"];

/** Parses an address. In libpq's form it may lack the host: the parameter `host` or `localhost` then applies. */
export function readDatabaseAddress(text: string): DatabaseAddress {
  if (!ADDRESS.test(text)) return { rule: "must be an address that starts with postgres:// or postgresql://" };
  const addresses = getHostAddresses(text).map(withHost);
  const broken = addresses.find((address) => !isWhole(address));
  if (broken === undefined) {
    const [first = ""] = addresses;
    const { searchParams } = new URL(first);
    if (searchParams.get("host")?.includes(",")) {
      return { rule: "must have several hosts before its path, as in postgresql://user:password@host1,host2/database" };
    }
    if (!PRIMARY.includes(searchParams.get("target_session_attrs") ?? "read-write")) {
      return { rule: "must have no target_session_attrs but read-write or primary" };
    }
    return { address: addresses.length === 1 ? first : text };
  }
  // If the address is valid without user and password, the error is in them.
  if (isWhole(broken.replace(/\/\/.*@/, "//"))) {
    return { rule: "must have the characters % : / ? # @ of its user and password percent-encoded, such as %23 for #" };
  }
  return { rule: "must be an address like postgresql://user:password@host:5432/database" };
}

/** Returns an address for each host of one that names several, separated by commas, as libpq reads it. */
export function getHostAddresses(address: string): string[] {
  const [, beginning = "", hosts = "", rest = ""] = ADDRESS.exec(address) ?? [];
  return hosts.split(",").map((host) => `${beginning}${host}${rest}`);
}

function withHost(address: string): string {
  return URL.canParse(address) ? address : address.replace(/^(\w+:\/\/([^/?#]*@)?)(?=[:/?]|$)/, "$1localhost");
}

/** Returns whether the URL is complete: an unencoded / or # in a password would start the path. */
function isWhole(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.hash === "" && !url.pathname.includes("@");
}
