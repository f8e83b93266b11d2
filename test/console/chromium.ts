import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** Executables in order of preference. The headless shell opens a page in two thirds of the time of the others. */
const EXECUTABLES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const INSTALL_HINT =
  "Install it on Debian with `apt-get install chromium-headless-shell`, or set CHROMIUM_PATH to a Chromium or Chrome.";

export const NO_CHROMIUM_WARNING = `No Chromium was found, so the console's browser tests are skipped. ${INSTALL_HINT}`;

/** Returns the browser in CHROMIUM_PATH, or else the first on the PATH; undefined if there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: configured, PATH = "" } = process.env;
  if (configured) {
    if (isExecutable(configured)) return configured;
    throw new Error(`CHROMIUM_PATH is ${configured}, which is not executable. ${INSTALL_HINT}`);
  }
  const candidates = PATH.split(delimiter).flatMap((folder) => EXECUTABLES.map((name) => join(folder, name)));
  return candidates.find(isExecutable);
}

/** Returns the path of Chromium. Throws if there is none. */
export function requireChromium(): string {
  const found = findChromium();
  if (found === undefined) throw new Error(`There is no Chromium on the PATH. ${INSTALL_HINT}`);
  return found;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
