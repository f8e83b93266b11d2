/**
 * `npm run bench -- console`: measures how long a browser with an empty cache takes to show pages of a workspace with
 * 1,000,000 activities of two weeks in 10,000 organizations. `CONSOLE_RECORDS=100000` reduces the number of records.
 */
import pino from "pino";
import { type Browser, chromium } from "playwright-core";
import { openDatabase } from "../src/database/database.ts";
import { createOperatorLink } from "../src/features/sign-in/login-link.ts";
import { requireChromium } from "../test/console/chromium.ts";
import { fill } from "./growth-fill.ts";
import { median } from "./median.ts";
import { runAndVacuum } from "./postgres.ts";
import type { RunningService } from "./service.ts";

const RECORDS = Number(process.env.CONSOLE_RECORDS ?? 1_000_000);
const RECORDS_PER_ORGANIZATION = 100;
const TWO_WEEKS_MS = 14 * 24 * 60 * 60 * 1000;
const LOADS = 5;
const ADD_USERS = `insert into users (organization_key, user_id, record, record_bytes)
  select organization_key, user_id, json_build_object('userId', user_id), 25
  from (select distinct organization_key, user_id from activities) as person`;
/** Pages, each with what shows its data and can be used. */
const PAGES = [
  { name: "overview", path: "/console", shown: ".chart-bar" },
  { name: "activities", path: "/console/activities", shown: "main ul.rows > li" },
  { name: "organizations", path: "/console/organizations", shown: "main tbody > tr" },
  { name: "reference at /docs, signed in", path: "/docs", shown: "nav[aria-label=Operations] a" },
];
const TARGETS = { "first-paint": 500, shown: 1_000 };
/** Script that returns the times of all marks, in milliseconds since the start of the navigation. */
const READ_TIMES = `Object.fromEntries(["paint", "mark"].flatMap((type) => performance.getEntriesByType(type))
  .map(({ name, startTime }) => [name, startTime]))`;

type Times = Record<keyof typeof TARGETS, number>;

/** Returns a script that marks the time when an element of the selector appears. */
function getMark(selector: string): string {
  return `new MutationObserver((_, observer) => {
    if (!document.querySelector(${JSON.stringify(selector)})) return;
    observer.disconnect();
    performance.mark("shown");
  }).observe(document, { childList: true, subtree: true })`;
}

export async function measureConsole({ address }: RunningService, connectionString: string): Promise<void> {
  const executablePath = requireChromium();
  const organizations = RECORDS / RECORDS_PER_ORGANIZATION;
  await fill(connectionString, { records: RECORDS, organizations, intervalMs: TWO_WEEKS_MS / RECORDS });
  await runAndVacuum(connectionString, ADD_USERS);
  const cookie = await signIn(address, connectionString);
  console.log(`pages of ${RECORDS} activities in ${organizations} organizations, empty browser cache`);
  for (const page of PAGES) {
    const loads: Times[] = [];
    // The first load warms the service up and is not counted.
    for (let load = 0; load <= LOADS; load++) {
      const browser = await chromium.launch({ executablePath });
      loads.push(await loadPage(browser, page, address, cookie).finally(() => browser.close()));
    }
    for (const [name, target] of Object.entries(TARGETS)) {
      const times = loads.map((load) => Number(Object(load)[name]));
      const [first = 0, ...counted] = times.map(Math.round);
      const all = `${counted.join(", ")}, the first one ${first}`;
      console.log(`${page.name}, ${name}: ${median(counted).toFixed(0)} ms (${all}; target: ${target})`);
    }
  }
}

/** Loads the page in a new browser, whose caches of files and compiled scripts are empty. */
async function loadPage(
  browser: Browser,
  { path, shown }: (typeof PAGES)[number],
  address: string,
  cookie: string,
): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name, value, url: address }]);
  const page = await context.newPage();
  await page.addInitScript(getMark(shown));
  await page.goto(`${address}${path}`);
  await page.locator(shown).first().waitFor();
  return page.evaluate<Times>(READ_TIMES);
}

/** Signs the operator in and returns the session cookie as `name=value`. */
async function signIn(address: string, connectionString: string): Promise<string> {
  const log = pino({ level: "silent" });
  const database = openDatabase({ connection: { connectionString }, poolMax: 1, log });
  try {
    const { url } = await createOperatorLink(database, address);
    const response = await fetch(`${address}/console/session`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: address },
      body: JSON.stringify({ token: new URL(url).hash.slice(1) }),
    });
    if (!response.ok) throw new Error(`signing in: ${response.status} ${await response.text()}`);
    return response.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  } finally {
    await database.close();
  }
}
