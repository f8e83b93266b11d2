import { Anchor } from "@mantine/core";
import { Link } from "wouter";
import type { ApiQuery } from "../../api/use-api.ts";
import { Panel } from "../../components/Panel.tsx";
import { getChecks } from "./health.ts";
import type { Overview } from "./overview.ts";

/** What may need attention, each with a link to where it is explained. */
export function HealthPanel({ apiQuery }: { apiQuery: ApiQuery<Overview> }) {
  return (
    <Panel title="Health" apiQuery={apiQuery} isErrorReported>
      {({ health }) => (
        <dl className="statistics health">
          {getChecks(health).map(({ name, value, note, href, isAlarming }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Anchor component={Link} href={href} inherit c={isAlarming ? "red" : "inherit"} underline="always">
                  {value}
                </Anchor>
                {isAlarming && <span className="visually-hidden"> (needs attention)</span>}
              </dd>
              <dd className="note">{note}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
