import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { findConfigurationErrors } from "../src/config/config.ts";
import { deployFiles, readYaml } from "./deploy-files.ts";
import { DEFAULT_PORT, type Environment, expectConfiguration, imageEnvironment, STOP_SECONDS } from "./deploy-image.ts";
import { startTestService } from "./harness.ts";

const service = await startTestService();

async function expectProbe(path: string): Promise<void> {
  expect((await fetch(`${service.address}${path}`)).status, path).toBe(200);
}

interface Manifest {
  kind: string;
  metadata: { name: string };
}

interface Probe {
  httpGet: { path: string; port: string };
}

interface Container {
  env: { name: string; value: string }[];
  envFrom: { secretRef: { name: string } }[];
  ports: { name: string; containerPort: number }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  lifecycle: { preStop: { sleep: { seconds: number } } };
  resources: { requests: Environment; limits: Environment };
  volumeMounts: { name: string; mountPath: string }[];
}

interface Deployment extends Manifest {
  spec: {
    selector: { matchLabels: Environment };
    template: {
      metadata: { labels: Environment; annotations: Environment };
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: Record<string, unknown>;
        containers: [Container];
        volumes: { name: string }[];
      };
    };
  };
}

interface Secret extends Manifest {
  stringData: Environment;
}

interface Service extends Manifest {
  spec: { selector: Environment; ports: { targetPort: string }[] };
}

interface Autoscaler extends Manifest {
  spec: { scaleTargetRef: { kind: string; name: string }; minReplicas: number; maxReplicas: number };
}

const deployment = readYaml<Deployment>("deploy/kubernetes/deployment.yaml");
const { metadata: pod, spec: podSpec } = deployment.spec.template;
const [container] = podSpec.containers;

test("every YAML file in deploy/ parses, and every manifest names its kind", () => {
  // The templates of the chart are none before Helm has filled them in.
  for (const path of deployFiles(".yaml").filter((one) => !one.includes("/templates/"))) {
    const parsed = readYaml<Partial<Manifest>>(path);
    if (path.startsWith("deploy/kubernetes/")) expect(parsed, path).toMatchObject({ metadata: { name: "colloquy" } });
  }
});

test("the chart has the version of the service", () => {
  const { version, appVersion } = readYaml<Record<string, string>>("deploy/helm/colloquy/Chart.yaml");
  expect([version, appVersion]).toEqual([packageJson.version, packageJson.version]);
});

test("the Kubernetes manifests refer to each other", () => {
  const { spec: forService } = readYaml<Service>("deploy/kubernetes/service.yaml");
  const { spec: scaling } = readYaml<Autoscaler>("deploy/kubernetes/autoscaler.yaml");
  const secret = readYaml<Secret>("deploy/kubernetes/secret.yaml");
  expect(pod.labels).toEqual(deployment.spec.selector.matchLabels);
  expect(forService.selector).toEqual(pod.labels);
  expect(forService.ports.map(({ targetPort }) => targetPort)).toEqual(container.ports.map(({ name }) => name));
  expect(scaling.scaleTargetRef).toMatchObject({ kind: deployment.kind, name: deployment.metadata.name });
  expect(scaling.minReplicas).toBeLessThan(scaling.maxReplicas);
  expect(container.envFrom).toEqual([{ secretRef: { name: secret.metadata.name } }]);
  const { volumes } = podSpec;
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
});

test("the pods have a configuration that a start accepts once the placeholders are filled in", () => {
  const { stringData } = readYaml<Secret>("deploy/kubernetes/secret.yaml");
  const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const environment = { ...stringData, ...own };
  expect(findConfigurationErrors(environment)).not.toEqual([]);
  const placeholders = Object.values(stringData).filter((value) => value.startsWith("YOUR_"));
  const keysOfBucket = ["YOUR_ACCESS_KEY_ID", "YOUR_SECRET_ACCESS_KEY"];
  expect(placeholders).toEqual(["YOUR_SECRET_KEY", "YOUR_API_KEY", "YOUR_AUTH_TOKEN", ...keysOfBucket]);
  const filled = { BOOTSTRAP_API_KEY: "a".repeat(8), BOOTSTRAP_AUTH_TOKEN: "a".repeat(16), SECRET_KEY: "a".repeat(64) };
  expectConfiguration({ ...environment, ...filled });
});

test("the pods use the port, probes, folder and user of the image, and have limits and time to stop", async () => {
  expect(container.ports.map(({ containerPort }) => containerPort)).toEqual([DEFAULT_PORT]);
  expect(pod.annotations["prometheus.io/port"]).toBe(String(DEFAULT_PORT));
  const { startupProbe, livenessProbe, readinessProbe } = container;
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    expect(container.ports.map(({ name }) => name)).toContain(httpGet.port);
    await expectProbe(httpGet.path);
  }
  expect([livenessProbe.httpGet.path, readinessProbe.httpGet.path]).toEqual(["/healthz", "/readyz"]);
  await expectProbe(String(pod.annotations["prometheus.io/path"]));
  expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([imageEnvironment.DATA_DIR, "/tmp"]);
  // The user is that of the image, or one that the cluster assigns.
  expect(podSpec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
  expect(container).toMatchObject({
    securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    resources: {
      requests: { cpu: expect.any(String) },
      limits: { cpu: expect.any(String), memory: expect.any(String) },
    },
  });
  const { seconds } = container.lifecycle.preStop.sleep;
  expect(podSpec.terminationGracePeriodSeconds).toBeGreaterThan(seconds + STOP_SECONDS);
});
