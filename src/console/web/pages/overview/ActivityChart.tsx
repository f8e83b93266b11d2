import { Button, Group, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { formatCount, pluralize } from "../../components/numbers.ts";
import type { ActivityDay } from "./overview.ts";

const FEATURES = ["custom", "comment", "reaction", "recorder", "crdt"];
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
/** Height of the view box. The drawing is stretched to its container. */
const HEIGHT = 100;
const BAR = { step: 10, width: 7 };

/** A bar chart of activities per day, stacked by feature type, that can be shown as a table. */
export function ActivityChart({ days }: { days: ActivityDay[] }) {
  const [isTable, { toggle }] = useDisclosure();
  const id = useId();
  const features = FEATURES.filter((feature) => days.some(({ featureTypes }) => featureTypes[feature]));
  return (
    <div>
      <div id={id}>
        {isTable ? <DayTable days={days} features={features} /> : <Bars days={days} features={features} />}
      </div>
      <Group mt="xs" justify="space-between">
        <ul className="legend" hidden={isTable}>
          {features.map((feature) => (
            <li key={feature} data-feature={feature}>
              {feature}
            </li>
          ))}
        </ul>
        <Button size="compact-xs" variant="default" onClick={toggle} aria-controls={id}>
          {isTable ? "Show chart" : "Show table"}
        </Button>
      </Group>
    </div>
  );
}

interface Series {
  days: ActivityDay[];
  features: string[];
}

function Bars({ days, features }: Series) {
  const highest = Math.max(...days.map(({ total }) => total));
  return (
    <div className="chart">
      <svg
        role="img"
        aria-label={summaryOf(days)}
        viewBox={`0 0 ${days.length * BAR.step} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {days.map((day, index) => (
          <g key={day.day} transform={`translate(${index * BAR.step})`}>
            <title>{`${labelOf(day)}: ${pluralize(day.total, "activity", "activities")}`}</title>
            <rect width={BAR.step} height={HEIGHT} fill="transparent" />
            <Stack day={day} features={features} highest={highest} />
          </g>
        ))}
      </svg>
      <Text size="xs" c="dimmed" className="chart-axis" aria-hidden>
        <span>{days[0] && labelOf(days[0])}</span>
        <span>{`Peak: ${formatCount(highest)} in a day`}</span>
        <span>{days.length > 1 && labelOf(days[days.length - 1])}</span>
      </Text>
    </div>
  );
}

function Stack({ day, features, highest }: { day: ActivityDay; features: string[]; highest: number }) {
  let top = HEIGHT;
  return features.map((feature) => {
    const height = ((day.featureTypes[feature] ?? 0) / highest) * HEIGHT;
    top -= height;
    return (
      <rect
        key={feature}
        data-feature={feature}
        fill="var(--feature-color)"
        x={(BAR.step - BAR.width) / 2}
        y={top}
        width={BAR.width}
        height={height}
      />
    );
  });
}

function DayTable({ days, features }: Series) {
  return (
    <Table.ScrollContainer minWidth={320} mah={320}>
      <Table withRowBorders={false} verticalSpacing={2} className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Day (UTC)</Table.Th>
            <Table.Th scope="col">Total</Table.Th>
            {features.map((feature) => (
              <Table.Th key={feature} scope="col">
                {feature}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {days.toReversed().map(({ day, total, featureTypes }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row">{day}</Table.Th>
              <Table.Td>{formatCount(total)}</Table.Td>
              {features.map((feature) => (
                <Table.Td key={feature}>{formatCount(featureTypes[feature] ?? 0)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function labelOf(day: ActivityDay | undefined): string {
  return day ? DAY.format(new Date(`${day.day}T00:00:00Z`)) : "";
}

function summaryOf(days: ActivityDay[]): string {
  const total = days.reduce((sum, day) => sum + day.total, 0);
  const busiest = days.toSorted((a, b) => b.total - a.total)[0];
  const summary = `${pluralize(total, "activity", "activities")} in ${pluralize(days.length, "day")}`;
  return busiest && total > 0 ? `${summary}, peak on ${labelOf(busiest)}: ${formatCount(busiest.total)}` : summary;
}
