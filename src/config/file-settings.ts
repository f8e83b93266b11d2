import { ConfigurationError } from "./configuration-error.ts";

/** A bucket of an S3-compatible store. */
export interface Bucket {
  /** Address of the bucket, without a trailing slash. */
  url: string;
  /** Name, as sources of copies name it. */
  name: string;
  /** Beginning of all keys, empty or with a trailing slash. */
  prefix: string;
  region: string;
}

const RULE = "must be an address such as s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-central-1";

/** Reads the address of a bucket. Without an endpoint, the bucket is one of Amazon S3. */
export function readFilesUrl(text: string): Bucket {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "s3:" || !/^[a-z\d][a-z\d.-]{1,62}$/.test(url.hostname) || url.username || url.password) {
    throw new ConfigurationError(RULE);
  }
  const { endpoint, region = "us-east-1", ...others } = Object.fromEntries(url.searchParams);
  const isEndpoint = endpoint === undefined || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol));
  if (!isEndpoint || Object.keys(others).length > 0) throw new ConfigurationError(RULE);
  const name = url.hostname;
  const path = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, "");
  return {
    url:
      endpoint === undefined ? `https://${name}.s3.${region}.amazonaws.com` : `${endpoint.replace(/\/+$/, "")}/${name}`,
    ...{ name, region, prefix: path && `${path}/` },
  };
}

/** Reads a list of media types, in lower case. */
export function readFileTypes(text: string): string[] {
  const types = text.split(",").map((type) => type.trim().toLowerCase());
  if (types.every((type) => /^(\*\/\*|[\w!#$&^.+-]+\/(\*|[\w!#$&^.+-]+))$/.test(type))) return types;
  throw new ConfigurationError("must be a comma list of media types such as image/* and application/pdf");
}
