import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { Mailer } from "../email/mailer.ts";
import { Outbox } from "../email/outbox.ts";
import { OutgoingConnections } from "../outgoing/connections.ts";
import type { StartContext } from "./start-context.ts";

/** Opens the outbox and the mailer. Connections to mail servers are opened with the first mail. */
export async function openMailer({ config, resources, telemetry }: StartContext): Promise<Mailer> {
  const { smtpUrl, mailFrom, dataDir } = config;
  const mailer = new Mailer({
    smtpUrl,
    mailFrom,
    outbox: openOutbox({ dataDir }),
    connections: new OutgoingConnections(config),
    telemetry,
  });
  resources.defer(() => mailer.close());
  return mailer;
}

export function openOutbox({ dataDir }: Pick<Config, "dataDir">): Outbox {
  return new Outbox(join(dataDir, "outbox"));
}
