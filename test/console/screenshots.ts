/**
 * `npm run screenshots` takes the screenshots of the console in docs/images. They show the newest commits of this
 * repository with invented authors and comments.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import { type BrowserContext, chromium } from "playwright-core";
import { readCommits } from "../../examples/git-log.ts";
import { readConfig } from "../../src/config/config.ts";
import { borrowEmbeddedDatabase } from "../../src/database/embedded.ts";
import { startService } from "../../src/service/service.ts";
import { buildConsole } from "./build.ts";
import { requireChromium } from "./chromium.ts";
import { type FixtureCommit, runExamples } from "./repository.ts";

const ROOT = join(import.meta.dirname, "../..");
const IMAGES = join(ROOT, "docs/images");
const COMMITS = 60;
const AUTHORS = ["ada", "grace", "alan", "grace", "ada", "ada", "alan"] as const;
/** Spreads the activities over the last twelve days, some busier than others. */
const SPREAD_OVER_DAYS = `
  with placed as (
    select organization_key, id, ((newest - created_at) + (1 - rank) * 12 * 86400000
      + (1 + sin(rank * 23)) * 60000000 * (rank < 0.9)::int)::bigint as earlier
    from (
      select *, max(created_at) over () as newest,
        percent_rank() over (partition by feature_type = 'custom' order by sequence) as rank
      from activities
    ) as ranked
  )
  update activities set created_at = created_at - earlier,
    record = regexp_replace(record::text, '"timestamp":\\d+', '"timestamp":' || (created_at - earlier))::json
  from placed where activities.organization_key = placed.organization_key and activities.id = placed.id`;

const dataDir = await mkdtemp(join(tmpdir(), "colloquy-screenshots-"));
const log = pino({ level: "silent" });
const service = await startService(readConfig({ PORT: "0", DATA_DIR: dataDir }), log);
const browser = await chromium.launch({ executablePath: requireChromium() });
try {
  buildConsole();
  if (!service.firstCredentials) throw new Error("the first start created no workspace");
  const { signInUrl, ...workspace } = service.firstCredentials;
  await runExamples(workspace, service.address, await inventedCommits());
  await addOtherActivities(workspace);
  await spreadActivities();
  await mkdir(IMAGES, { recursive: true });
  await takeScreenshots(await browser.newContext({ viewport: { width: 1280, height: 800 } }), signInUrl);
} finally {
  await browser.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Returns the newest commits of this repository with invented authors. */
async function inventedCommits(): Promise<FixtureCommit[]> {
  const commits: FixtureCommit[] = [];
  for await (const { message, files } of readCommits(ROOT, COMMITS)) {
    const author = AUTHORS[commits.length % AUTHORS.length] ?? "ada";
    const paths = files.map(({ path }) => path).filter((path) => !/["\\\s]/.test(path));
    commits.push([author, message.split("\n", 1)[0] ?? "", ...paths.slice(0, 8)]);
  }
  return commits;
}

/** Adds activities of other features, so that the chart has more than one color. */
async function addOtherActivities({ apiKey, authToken }: { apiKey: string; authToken: string }): Promise<void> {
  const kinds = [
    { featureType: "comment", actionType: "comment.add", what: "commented on the last change" },
    { featureType: "reaction", actionType: "reaction.add", what: "liked the last change" },
    { featureType: "comment", actionType: "comment.add", what: "answered a comment" },
    { featureType: "recorder", actionType: "recording.add", what: "recorded a walk through it" },
  ];
  const users = ["Grace Hopper", "Ada Lovelace", "Alan Turing"].map((name) => ({
    userId: `${name.split(" ", 1)[0]?.toLowerCase()}@example.com`,
    name,
  }));
  const activities = Array.from({ length: 40 }, (_, index) => {
    const { what = "", ...fields } = kinds[index % kinds.length] ?? {};
    const user = users[index % users.length];
    const data = { displayMessageTemplate: `{{user}} ${what}`, displayMessageTemplateData: { user } };
    return { ...fields, ...data, actionUser: user, targetEntityId: "main" };
  });
  const response = await fetch(`${service.address}/v2/activities/add`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-service-api-key": apiKey,
      "x-service-auth-token": authToken,
    },
    body: JSON.stringify({ data: { organizationId: "git", documentId: "engine", activities } }),
  });
  if (!response.ok) throw new Error(`adding activities failed: ${await response.text()}`);
}

async function spreadActivities(): Promise<void> {
  const database = await borrowEmbeddedDatabase({ dataDir, log });
  const client = new pg.Client(database.connection);
  try {
    await client.connect();
    await client.query(SPREAD_OVER_DAYS);
  } finally {
    await client.end();
    await database.stop();
  }
}

async function takeScreenshots(context: BrowserContext, signInUrl: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(signInUrl);
  await page.locator(".chart svg").waitFor();
  const workspace = page.url().replace(/\/overview.*/, "");
  for (const [name, path] of [
    ["overview", "/overview"],
    ["activities", "/activities?organization=git"],
    ["people", `/people?user=${encodeURIComponent("ada@example.com")}`],
  ]) {
    await page.goto(`${workspace}${path}`);
    await page.locator("main:has(h1):not(:has([aria-busy=true], [aria-label=Loading]))").waitFor();
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  }
}
