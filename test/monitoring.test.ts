import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import type { SyntaxNodeRef } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { readConfig } from "../src/config/config.ts";
import { ERROR_CATALOGUE } from "../src/contract/error-catalogue.ts";
import { operations } from "../src/operations.ts";
import { readProjectFile, readYaml } from "./deploy-files.ts";
import { getAnchors } from "./documentation/markdown.ts";
import { activity, addActivities } from "./factories.ts";
import { startTestService } from "./harness.ts";

const FOLDER = "deploy/monitoring";
const RUNBOOK = `${packageJson.homepage}/blob/main/docs/runbook.md`;
/** Labels that Prometheus adds to what it scrapes, and a metric of its own. */
const ADDED_LABELS = ["instance", "job"];
const ADDED_METRIC = "up";

interface Alert {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

interface Dashboard {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
  templating: { list: { name: string; query: string }[] };
}

/** A metric that Prometheus computes from others. */
interface Recorded {
  record: string;
  expr: string;
}

const rules = readYaml<{ groups: { rules: (Alert | Recorded)[] }[] }>(`${FOLDER}/alerts.yaml`).groups.flatMap(
  (group) => group.rules,
);
const alerts = rules.filter((rule) => "alert" in rule);
const recorded = new Set(rules.flatMap((rule) => ("record" in rule ? rule.record : [])));
const dashboard: Dashboard = JSON.parse(readProjectFile(`${FOLDER}/dashboard.json`));
const dashboardTargets = dashboard.panels.flatMap(({ targets }) => targets);
/** Expressions, with Grafana's variables filled in. */
const expressions = [...rules, ...dashboardTargets].map(({ expr }) =>
  expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*"),
);

/** Values of each label by metric, as `/metrics` returns them. */
async function readMetrics(): Promise<Map<string, Map<string, Set<string>>>> {
  const service = await startTestService();
  await addActivities(await service.workspace(), [activity()]);
  const text = await (await fetch(`${service.address}/metrics`)).text();
  const metrics = new Map<string, Map<string, Set<string>>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_\d]+)(?:\{([^}]*)\})? \S+$/gm)) {
    const values = metrics.get(name) ?? new Map<string, Set<string>>();
    metrics.set(name, values);
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="([^"]*)"/g)) {
      values.set(label, (values.get(label) ?? new Set()).add(value));
    }
  }
  return metrics;
}

const metrics = await readMetrics();
/** Values that a label can have, in addition to those that the response happens to have. */
const POSSIBLE: Record<string, readonly string[]> = {
  status: Object.keys(ERROR_CATALOGUE),
  operation: operations.flatMap(({ path, aliases = [] }) => [path, ...aliases]),
  job: ["colloquy"],
};

interface Parsed {
  metrics: string[];
  /** Labels that the expression groups by. */
  groupedBy: string[];
  matchers: { metric: string; label: string; operator: string; value: string }[];
  errors: string[];
}

function parse(expression: string): Parsed {
  const parsed: Parsed = { metrics: [], groupedBy: [], matchers: [], errors: [] };
  const getText = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  let metric = "";
  parser.parse(expression).iterate({
    enter(node: SyntaxNodeRef) {
      if (node.type.isError) parsed.errors.push(getText({ from: node.from, to: expression.length }) || "the end");
      const [first, second, third] = getChildren(node).map(getText);
      if (node.name === "VectorSelector") {
        metric = first ?? "";
        parsed.metrics.push(metric);
      }
      if (node.name === "UnquotedLabelMatcher") {
        parsed.matchers.push({ metric, label: first ?? "", operator: second ?? "", value: JSON.parse(third ?? '""') });
      }
      if (node.name === "LabelName" && node.node.parent?.name === "GroupingLabels")
        parsed.groupedBy.push(getText(node));
    },
  });
  return parsed;
}

function getChildren({ node }: SyntaxNodeRef): { from: number; to: number }[] {
  const children = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

function isKnown(metric: string): boolean {
  return metric === ADDED_METRIC || metrics.has(metric) || recorded.has(metric);
}

function getLabels(metric: string): string[] {
  return [...(metrics.get(metric)?.keys() ?? []), ...ADDED_LABELS];
}

/** Returns what the expression names and `/metrics` does not have. */
function findErrors(expression: string): string[] {
  const { metrics: named, groupedBy, matchers, errors } = parse(expression);
  const known = named.flatMap(getLabels);
  return [
    ...errors.map((error) => `syntax at ${error}`),
    ...(named.length === 0 ? ["no metric"] : []),
    ...named.filter((metric) => !isKnown(metric)).map((metric) => `metric ${metric}`),
    ...groupedBy.filter((label) => !known.includes(label)).map((label) => `label ${label}`),
    ...matchers.filter(({ metric, label }) => !getLabels(metric).includes(label)).map(({ label }) => `label ${label}`),
    ...matchers.flatMap(({ metric, label, operator, value }) => {
      if (label === "instance") return [];
      const values = [...(metrics.get(metric)?.get(label) ?? []), ...(POSSIBLE[label] ?? [])];
      const parts = operator.includes("~") ? value.split("|").map((part) => new RegExp(`^(?:${part})$`)) : [value];
      const isThere = (part: string | RegExp) =>
        values.some((one) => (typeof part === "string" ? one === part : part.test(one)));
      return parts.filter((part) => !isThere(part)).map((part) => `value ${part} of ${label}`);
    }),
  ];
}

test("every expression of the alerts and the dashboard names only metrics, labels and values that exist", () => {
  expect(expressions.length).toBeGreaterThan(25);
  expect(expressions.flatMap((expression) => findErrors(expression).map((error) => `${error}: ${expression}`))).toEqual(
    [],
  );
});

test("the check of expressions notices wrong syntax, metrics, labels and values", () => {
  expect(findErrors('rate(colloquy_mails_total{outcome="sent"}[5m]')).toEqual(["syntax at the end"]);
  expect(findErrors("sum(colloquy_mails)")).toEqual(["metric colloquy_mails"]);
  expect(findErrors('colloquy_mails_total{result="sent"}')).toEqual(["label result", "value sent of result"]);
  expect(findErrors('colloquy_mails_total{outcome=~"sent|lost"}')).toEqual(["value /^(?:lost)$/ of outcome"]);
  expect(findErrors("sum by (state) (colloquy_mails_total)")).toEqual(["label state"]);
  expect(findErrors("vector(1)")).toEqual(["no metric"]);
});

test("legends and summaries name labels that their expressions have", () => {
  const texts = [
    ...dashboardTargets.map(({ expr, legendFormat }) => ({ expr, text: legendFormat })),
    ...alerts.map(({ expr, annotations }) => ({ expr, text: annotations.summary.replaceAll("$labels.", "") })),
  ];
  for (const { expr, text } of texts) {
    const { metrics: named, groupedBy } = parse(expr.replaceAll("$__rate_interval", "5m"));
    const labels = expr.includes(" by (") ? groupedBy : named.flatMap(getLabels);
    const mentioned = [...text.matchAll(/\{\{ ?([a-z_]+) ?\}\}/g)].map(([, label]) => label);
    expect(
      mentioned.filter((label) => label === undefined || !labels.includes(label)),
      text,
    ).toEqual([]);
  }
});

test("every alert has an entry in the runbook, and every entry of an alert has its alert", () => {
  const markdown = readProjectFile("docs/runbook.md");
  const anchors = getAnchors(markdown);
  for (const { alert, annotations, labels, for: pending } of alerts) {
    expect(annotations.runbook_url).toBe(`${RUNBOOK}#${alert.toLowerCase()}`);
    expect(anchors, alert).toContain(alert.toLowerCase());
    expect(["critical", "warning", "info"]).toContain(labels.severity);
    expect(pending).toMatch(/^\d+m$/);
  }
  const entries = [...markdown.matchAll(/^### (Colloquy\w+)$/gm)].map(([, name]) => name);
  expect(entries).toEqual(alerts.map(({ alert }) => alert));
});

/** Entries of the runbook by the tests that provoke them. */
const RUNBOOK_ENTRIES: Record<string, string> = {
  "src/commands/backup.test.ts": "A backup or restore fails",
  "src/commands/import/import.test.ts": "An import breaks off",
  "src/database/migrate.test.ts": "An upgrade waits",
  "test/journeys/clients.test.ts": "Slow or broken clients",
  "test/journeys/database-away.test.ts": "The database is away",
  "test/journeys/database-rejects.test.ts": "The database rejects the service",
  "test/journeys/database-silent.long.test.ts": "The database hangs",
  "test/journeys/disk-full.long.test.ts": "The disk is full",
  "test/journeys/document-sync-kill.long.test.ts": "Streams and document sync lose their connection",
  "test/journeys/pgbouncer.test.ts": "The service does not become ready",
  "test/journeys/presence-kill.long.test.ts": "Streams and document sync lose their connection",
  "test/journeys/stream-outages.test.ts": "Streams and document sync lose their connection",
  "test/journeys/sync-outages.test.ts": "Streams and document sync lose their connection",
  "test/journeys/upgrades.test.ts": "An upgrade waits",
  "test/journeys/worker-nodes.test.ts": "A worker node of Citus is away",
  "src/database/listen.test.ts": "The listening connection is lost",
  "test/mail-crash-test.ts": "The mail server is down",
  "test/journeys/log-lost.long.test.ts": "The log cannot be written",
  "test/journeys/failed-starts.long.test.ts": "The service does not become ready",
  "test/journeys/failover.long.test.ts": "The primary fails over",
  "test/journeys/half-open-requests.test.ts": "Overload",
  "test/journeys/files-kill.long.test.ts": "A process is killed",
  "test/journeys/kill.test.ts": "A process is killed",
  "test/journeys/processes.long.test.ts": "A worker process ends",
  "test/journeys/overload.long.test.ts": "Overload",
  "test/journeys/rate-limits.test.ts": "Callers are limited",
  "test/journeys/user-limits.test.ts": "Callers are limited",
  "test/authentication.test.ts": "Credentials are rejected",
  "test/journeys/secret-keys.test.ts": "The secret key is wrong",
  "test/journeys/slow-clients.test.ts": "Slow or broken clients",
  "test/journeys/starts.test.ts": "The service does not become ready",
  "test/journeys/stop.test.ts": "The service does not stop",
  "test/journeys/telemetry.long.test.ts": "The collector is away",
};

/** Journeys that provoke nothing which an operator could notice. */
const UNNOTICED = [
  ...["coming-from-elsewhere", "concurrency", "documented-responses", "end-user-inbox", "end-user-pages"],
  ...[
    "end-user-walk",
    "end-users",
    "event-loop",
    "examples",
    "files-bucket-backup",
    "fuzz",
    "hidden-addresses",
    "hidden-annotations",
    "large-bodies",
    "mistyped-fields",
  ],
  ...["model", "odd-values", "one-shard", "own-records", "properties", "reviews", "sign-in", "tiptap"],
  ...["user-roles", "workspace-app"],
];

test("every journey provokes an entry of the runbook, or is known to provoke none", () => {
  const journeys = readdirSync(join(import.meta.dirname, "journeys")).filter((name) => name.endsWith(".test.ts"));
  const withoutEntry = journeys.filter((name) => !(`test/journeys/${name}` in RUNBOOK_ENTRIES));
  expect(withoutEntry.map((name) => name.replace(/(\.long)?\.test\.ts$/, "")).sort()).toEqual([...UNNOTICED].sort());
});

test("every entry that a test provokes is in the runbook", () => {
  const entries = [...readProjectFile("docs/runbook.md").matchAll(/^### (.+)$/gm)].map(([, name]) => name);
  for (const [path, entry] of Object.entries(RUNBOOK_ENTRIES)) {
    expect(existsSync(join(import.meta.dirname, "..", path)), path).toBe(true);
    expect(entries).toContain(entry);
  }
});

test("Prometheus scrapes the port and path of the service, and reads the alerts", async () => {
  const { scrape_configs, rule_files } = readYaml<{
    scrape_configs: { job_name: string; metrics_path: string; static_configs: { targets: string[] }[] }[];
    rule_files: string[];
  }>(`${FOLDER}/prometheus.yaml`);
  const [scrape] = scrape_configs;
  expect(scrape?.job_name).toBe("colloquy");
  expect(scrape?.static_configs).toEqual([{ targets: [`127.0.0.1:${readConfig({}).port}`] }]);
  const { address } = await startTestService();
  expect((await fetch(`${address}${scrape?.metrics_path}`)).status).toBe(200);
  expect(rule_files.filter((path) => !existsSync(join(import.meta.dirname, "..", posix.join(FOLDER, path))))).toEqual(
    [],
  );
});
