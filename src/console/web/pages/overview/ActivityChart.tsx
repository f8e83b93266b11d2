import { Button, Group, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { formatCount, pluralize } from "../../components/numbers.ts";
import type { Bar } from "./overview.ts";

const FEATURES = ["custom", "comment", "reaction", "recorder", "crdt"];
/** Height of the view box. The drawing is stretched to its container. */
const HEIGHT = 100;
const BAR_SIZE = { step: 10, width: 7 };

/** A bar chart of activities per day or month, stacked by feature type, that can be shown as a table. */
export function ActivityChart({ bars, unit }: { bars: Bar[]; unit: "day" | "month" }) {
  const [isTable, { toggle }] = useDisclosure();
  const id = useId();
  const features = FEATURES.filter((feature) => bars.some(({ featureTypes }) => featureTypes[feature]));
  return (
    <div>
      <div id={id}>
        {isTable ? (
          <BarTable bars={bars} unit={unit} features={features} />
        ) : (
          <Bars bars={bars} unit={unit} features={features} />
        )}
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
  bars: Bar[];
  unit: "day" | "month";
  features: string[];
}

function Bars({ bars, unit, features }: Series) {
  const highest = Math.max(...bars.map(({ total }) => total));
  return (
    <div className="chart">
      <svg
        role="img"
        aria-label={summaryOf(bars, unit)}
        viewBox={`0 0 ${bars.length * BAR_SIZE.step} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        {bars.map((bar, index) => (
          <g key={bar.time} transform={`translate(${index * BAR_SIZE.step})`}>
            <title>{`${bar.label}: ${pluralize(bar.total, "activity", "activities")}`}</title>
            <rect width={BAR_SIZE.step} height={HEIGHT} fill="transparent" />
            <Stack bar={bar} features={features} highest={highest} />
          </g>
        ))}
      </svg>
      <Text size="xs" c="dimmed" className="chart-axis" aria-hidden>
        <span>{bars[0]?.label}</span>
        <span>{`Peak: ${formatCount(highest)} in a ${unit}`}</span>
        <span>{bars.length > 1 && bars[bars.length - 1]?.label}</span>
      </Text>
    </div>
  );
}

function Stack({ bar, features, highest }: { bar: Bar; features: string[]; highest: number }) {
  let top = HEIGHT;
  return features.map((feature) => {
    const height = ((bar.featureTypes[feature] ?? 0) / highest) * HEIGHT;
    top -= height;
    return (
      <rect
        key={feature}
        data-feature={feature}
        fill="var(--feature-color)"
        x={(BAR_SIZE.step - BAR_SIZE.width) / 2}
        y={top}
        width={BAR_SIZE.width}
        height={height}
      />
    );
  });
}

function BarTable({ bars, unit, features }: Series) {
  return (
    <Table.ScrollContainer minWidth={320} mah={320}>
      <Table withRowBorders={false} verticalSpacing={2} className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{unit === "day" ? "Day" : "Month"} (UTC)</Table.Th>
            <Table.Th scope="col">Total</Table.Th>
            {features.map((feature) => (
              <Table.Th key={feature} scope="col">
                {feature}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bars.toReversed().map(({ time, total, featureTypes }) => (
            <Table.Tr key={time}>
              <Table.Th scope="row">{time}</Table.Th>
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

function summaryOf(bars: Bar[], unit: "day" | "month"): string {
  const total = bars.reduce((sum, bar) => sum + bar.total, 0);
  const busiest = bars.toSorted((a, b) => b.total - a.total)[0];
  const summary = `${pluralize(total, "activity", "activities")} in ${pluralize(bars.length, unit)}`;
  const preposition = unit === "day" ? "on" : "in";
  return busiest && total > 0
    ? `${summary}, peak ${preposition} ${busiest.label}: ${formatCount(busiest.total)}`
    : summary;
}
