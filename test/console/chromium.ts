import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The first has no windows to keep: what opening a page takes was measured at two thirds of the others' time. */
const EXECUTABLES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];
const INSTALL_HINT =
  "On Debian `apt-get install chromium-headless-shell` brings one; CHROMIUM_PATH may name any Chromium or Chrome.";

export const NO_CHROMIUM_WARNING = `No Chromium was found, so the tests of the console in a browser are skipped. ${INSTALL_HINT}`;

/** The browser that CHROMIUM_PATH names, or else the first on the PATH; undefined where there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: given, PATH = "" } = process.env;
  if (given) {
    if (isExecutable(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, which cannot be run. ${INSTALL_HINT}`);
  }
  const candidates = PATH.split(delimiter).flatMap((folder) => EXECUTABLES.map((name) => join(folder, name)));
  return candidates.find(isExecutable);
}

/** For what makes no sense without one. */
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
