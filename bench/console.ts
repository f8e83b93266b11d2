/**
 * `npm run bench -- console`: measures how long a browser with an empty cache takes to show the overview of a workspace
 * with 100,000 activities of two weeks.
 */
import pino from "pino";
import { chromium } from "playwright-core";
import { openDatabase } from "../src/database/database.ts";
import { createOperatorLink } from "../src/features/sign-in/login-link.ts";
import type { Api } from "../src/operations.ts";
import { requireChromium } from "../test/console/chromium.ts";
import { median } from "./median.ts";
import { runAndVacuum } from "./postgres.ts";
import type { RunningService } from "./service.ts";

const ORGANIZATIONS = 100;
const CALLS_PER_ORGANIZATION = 2;
const ACTIVITIES_PER_CALL = 500;
const LOADS = 5;
const FEATURES = ["comment", "reaction", "recorder", "crdt", "custom"] as const;
const SPREAD_OVER_TWO_WEEKS = "update activities set created_at = created_at - sequence % 14 * 86400000";
/** Script that marks the time when the chart appears in the page. */
const MARK_CHART = `new MutationObserver((_, observer) => {
  if (!document.querySelector(".chart-bar")) return;
  observer.disconnect();
  performance.mark("chart");
}).observe(document, { childList: true, subtree: true })`;
/** Script that returns the times of all marks, in milliseconds since the start of the navigation. */
const READ_TIMES = `Object.fromEntries(["paint", "mark"].flatMap((type) => performance.getEntriesByType(type))
  .map(({ name, startTime }) => [name, startTime]))`;

type Request = Api["/v2/activities/add"]["request"];
type Times = Record<"first-paint" | "first-contentful-paint" | "chart", number>;

export async function measureConsole({ address, call }: RunningService, connectionString: string): Promise<void> {
  const executablePath = requireChromium();
  for (let number = 0; number < ORGANIZATIONS * CALLS_PER_ORGANIZATION; number++) {
    await call("/v2/activities/add", requestOf(number));
  }
  await runAndVacuum(connectionString, SPREAD_OVER_TWO_WEEKS);
  const cookie = await signIn(address, connectionString);
  const loads: Times[] = [];
  // The first load warms the service up and is not counted.
  for (let load = 0; load <= LOADS; load++) loads.push(await loadOverview(executablePath, address, cookie));
  console.log(
    `overview of ${ORGANIZATIONS * CALLS_PER_ORGANIZATION * ACTIVITIES_PER_CALL} activities, empty browser cache`,
  );
  for (const name of ["first-paint", "first-contentful-paint", "chart"] as const) {
    const times = loads.slice(1).map((load) => load[name]);
    console.log(
      `${name}: ${median(times).toFixed(0)} ms (${times.map((time) => time.toFixed(0)).join(", ")}; target: 1000)`,
    );
  }
}

/** Loads the page in a new browser, whose caches of files and compiled scripts are empty. */
async function loadOverview(executablePath: string, address: string, cookie: string): Promise<Times> {
  const browser = await chromium.launch({ executablePath });
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const [name = "", value = ""] = cookie.split("=");
    await context.addCookies([{ name, value, url: address }]);
    const page = await context.newPage();
    await page.addInitScript(MARK_CHART);
    await page.goto(`${address}/console`);
    await page.locator(".chart-bar").first().waitFor();
    return await page.evaluate<Times>(READ_TIMES);
  } finally {
    await browser.close();
  }
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

function requestOf(number: number): Request {
  const user = { userId: `user-${number % 50}`, name: "Ada Lovelace" };
  const activities = Array.from({ length: ACTIVITIES_PER_CALL }, (_, index) => ({
    featureType: FEATURES[index % FEATURES.length] ?? "custom",
    actionType: "clause.edit",
    actionUser: user,
    targetEntityId: "clause-3",
    displayMessageTemplate: "{{user}} changed a clause",
    displayMessageTemplateData: { user },
    entityData: { text: "x".repeat(200) },
  }));
  const organizationId = `organization-${Math.floor(number / CALLS_PER_ORGANIZATION)}`;
  return { organizationId, documentId: `document-${number % 10}`, activities };
}
