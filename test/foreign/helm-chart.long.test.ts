import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { operations } from "../../src/operations.ts";
import { deployFiles, readProjectFile, readYaml } from "../deploy-files.ts";
import { readProject } from "../documentation/project.ts";
import { HAS_HELM, installHelm, type KubernetesObject, renderChart, runHelm, type Values } from "./helm.ts";
import { findObjectErrors } from "./kubernetes-schemas.ts";

/** The least that an installation needs. */
const LEAST: Values = { existingSecret: "colloquy", files: { inPod: true } };

/** Values that add every object and field. */
const EVERYTHING: Values = {
  image: { repository: "registry.example.com/colloquy", digest: `sha256:${"a".repeat(64)}`, pullSecrets: ["registry"] },
  existingSecret: "colloquy",
  database: { url: "postgresql://user:password@host/colloquy" },
  files: { url: "s3://files?region=eu-west-1" },
  publicUrl: "https://colloquy.example.com",
  env: { MAIL_FROM: "Colloquy <colloquy@example.com>", PROCESSES: 2 },
  autoscaling: { enabled: true },
  podDisruptionBudget: { maxUnavailable: "25%" },
  service: { type: "LoadBalancer", annotations: { "example.com/network": "internal" } },
  ingress: {
    enabled: true,
    className: "nginx",
    host: "colloquy.example.com",
    tlsSecret: "tls",
    annotations: { a: "b" },
  },
  networkPolicy: {
    enabled: true,
    from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress" } } }],
    egress: [{ ports: [{ port: 53, protocol: "UDP" }] }, { to: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }],
  },
  serviceMonitor: { enabled: true, labels: { release: "prometheus" } },
  prometheusRule: { enabled: true, labels: { release: "prometheus" } },
  serviceAccountName: "colloquy",
  podAnnotations: { "example.com/a": "b" },
  podLabels: { team: "a" },
  nodeSelector: { "kubernetes.io/arch": "arm64" },
  tolerations: [{ key: "dedicated", operator: "Exists" }],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] } } },
  priorityClassName: "high",
  fullnameOverride: "collaboration",
};

/** An operator's Secret instead of an address, and no object that can be left out. */
const LITTLE: Values = {
  existingSecret: "colloquy",
  database: { existingSecret: "cluster-app" },
  files: { claim: "files" },
  migration: { enabled: false },
  podDisruptionBudget: { enabled: false },
  trustProxy: "",
};

interface PodTemplate {
  spec: {
    template: {
      spec: { volumes: object[]; securityContext: object; containers: { args?: string[]; env?: object[] }[] };
    };
  };
}

const find = <Type>(objects: KubernetesObject[], kind: string) => objects.find((one) => one.kind === kind) as Type;

describe.runIf(HAS_HELM)("the chart", async () => {
  const helm = HAS_HELM ? await installHelm() : "";
  const everything = HAS_HELM ? await renderChart(helm, EVERYTHING) : [];

  test.each([LEAST, EVERYTHING, LITTLE])(
    "has no error, and only objects that Kubernetes accepts (%#)",
    async (values) => {
      await runHelm(helm, ["lint", "--strict"], values);
      expect(await findObjectErrors(await renderChart(helm, values))).toEqual([]);
    },
  );

  test("is installed by the values of its README", async () => {
    const [, values = ""] = /<<'YAML'\n([\s\S]*?)\nYAML/.exec(readProjectFile("deploy/helm/colloquy/README.md")) ?? [];
    const kinds = (await renderChart(helm, parse(values))).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["Deployment", "Ingress", "Job", "PodDisruptionBudget", "Service"]);
  });

  test("has an object of each kind that the values enable", () => {
    expect(everything.map(({ kind }) => kind).sort()).toEqual([
      ...["Deployment", "HorizontalPodAutoscaler", "Ingress", "Job", "NetworkPolicy", "PodDisruptionBudget"],
      ...["PrometheusRule", "Secret", "Secret", "Service", "ServiceMonitor"],
    ]);
  });

  test("sets no user or group, which OpenShift assigns", async () => {
    for (const object of everything) expect(JSON.stringify(object)).not.toMatch(/runAsUser|runAsGroup|fsGroup/);
    const { template } = find<PodTemplate>(everything, "Deployment").spec;
    expect(template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
  });

  test("has the same pods as the plain manifests, apart from image and configuration", async () => {
    const [chart, plain] = [
      find<PodTemplate>(await renderChart(helm, LEAST), "Deployment"),
      readYaml<PodTemplate>("deploy/kubernetes/deployment.yaml"),
    ].map(({ spec }) => spec.template.spec);
    const containers = plain?.containers.map((container) => ({
      ...container,
      image: expect.any(String),
      imagePullPolicy: expect.any(String),
      env: expect.any(Array),
    }));
    expect(chart).toEqual({ ...plain, containers, topologySpreadConstraints: [expect.any(Object)] });
  });

  test("migrates the database before an installation or upgrade, with the configuration of the service", () => {
    const job = find<KubernetesObject & PodTemplate>(everything, "Job");
    expect(job.metadata.annotations).toMatchObject({ "helm.sh/hook": "pre-install,pre-upgrade" });
    const [migration] = job.spec.template.spec.containers;
    const [service] = find<PodTemplate>(everything, "Deployment").spec.template.spec.containers;
    expect(migration?.args).toEqual(["migrate"]);
    expect(migration?.env).toEqual(service?.env);
  });

  test.each([
    [{ claim: "files" }, { persistentVolumeClaim: { claimName: "files" } }, []],
    [{ url: "s3://files" }, { emptyDir: {} }, [{ name: "FILES_URL", value: "s3://files" }]],
    [{ inPod: true }, { emptyDir: {} }, []],
  ])("keeps files where the values %j say", async (files, volume, variables) => {
    const { template } = find<PodTemplate>(await renderChart(helm, { ...LEAST, files }), "Deployment").spec;
    expect(template.spec.volumes).toContainEqual({ name: "data", ...volume });
    const env = template.spec.containers[0]?.env ?? [];
    expect(env.filter((one) => JSON.stringify(one).includes("FILES"))).toEqual(variables);
  });

  test("gives the Prometheus operator the alerts of Prometheus", () => {
    const { spec } = find<KubernetesObject>(everything, "PrometheusRule");
    expect(spec).toEqual(readYaml("deploy/monitoring/alerts.yaml"));
  });

  test("routes every public path of the service, and no metrics", async () => {
    const { spec } = find<{ spec: { rules: { http: { paths: { path: string; pathType: string }[] } }[] } }>(
      everything,
      "Ingress",
    );
    const routes = spec.rules.flatMap(({ http }) => http.paths);
    const isRouted = (path: string) =>
      routes.some((route) => path === route.path || (route.pathType === "Prefix" && path.startsWith(`${route.path}/`)));
    const { operationPaths } = await readProject();
    const pages = ["/", "/console", "/console/api", "/docs", "/openapi.json", "/mails/unsubscribe"];
    expect(operationPaths.size).toBeGreaterThan(operations.length);
    expect([...operationPaths, ...pages].filter((path) => !isRouted(path))).toEqual([]);
    expect(["/metrics", "/healthz", "/readyz"].filter(isRouted)).toEqual([]);
  });

  test.each([
    [{}, "Set existingSecret"],
    [{ existingSecret: "colloquy" }, "Set one of files.url"],
    [{ ...LEAST, files: { url: "s3://files", claim: "files" } }, "Set one of files.url"],
    [{ ...LEAST, env: { FILES_URL: "s3://files" } }, "FILES_URL"],
    [{ ...LEAST, replica: 2 }, "additional properties 'replica' not allowed"],
    [{ ...LEAST, database: { url: "postgresql://a", existingSecret: "b" } }, "/database"],
    [{ ...LEAST, env: { DATABASE_URL: "postgresql://a" } }, "DATABASE_URL"],
    [{ ...LEAST, ingress: { enabled: true } }, "Set ingress.host"],
  ])("rejects the values %j and says why", async (values, message) => {
    await expect(renderChart(helm, values)).rejects.toThrow(message);
  });
});

test("Kubernetes accepts the plain manifests", async () => {
  const paths = deployFiles(".yaml").filter((path) => path.startsWith("deploy/kubernetes/"));
  expect(paths.length).toBeGreaterThan(3);
  expect(await findObjectErrors(paths.map(readYaml<KubernetesObject>))).toEqual([]);
});

test("the schemas reject unknown fields, wrong types and unknown words", async () => {
  const metadata = { name: "a" };
  const errors = await findObjectErrors([
    { apiVersion: "v1", kind: "Service", metadata, spec: { selectors: {} } } as KubernetesObject,
    { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec: { minAvailable: true } },
    {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "ServiceMonitor",
      metadata,
      spec: { endpoints: [{ interval: "x" }] },
    },
  ] as KubernetesObject[]);
  for (const error of ["selectors", "/spec/minAvailable", "/spec/endpoints/0/interval"]) {
    expect(errors).toContainEqual(expect.stringContaining(error));
  }
});
