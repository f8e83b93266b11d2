import { join } from "node:path";
import { readPrivateFile, writePrivateFile } from "../../config/private-file.ts";

export interface Credentials {
  apiKey: string;
  authToken: string;
}

export function credentialsPath(dataDir: string): string {
  return join(dataDir, "credentials.json");
}

/** Reads the credentials; returns undefined if there is no valid file. */
export async function readCredentials(dataDir: string): Promise<Credentials | undefined> {
  const text = await readPrivateFile(credentialsPath(dataDir));
  try {
    return text === undefined ? undefined : parseCredentials(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export async function writeCredentials(dataDir: string, credentials: Credentials): Promise<void> {
  await writePrivateFile(credentialsPath(dataDir), `${JSON.stringify(credentials, undefined, 2)}\n`);
}

function parseCredentials(content: unknown): Credentials | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  const { apiKey, authToken }: { apiKey?: unknown; authToken?: unknown } = content;
  return typeof apiKey === "string" && typeof authToken === "string" && apiKey !== "" && authToken !== ""
    ? { apiKey, authToken }
    : undefined;
}
