import { TextInput } from "@mantine/core";
import { type Duration, isUnit, UNITS } from "./duration.ts";

interface DurationInputProps {
  label: string;
  description: string;
  value: Duration;
  error?: string | undefined;
  onChange: (duration: Duration) => void;
}

/** A field for a duration: an amount and, inside of the field, its unit. */
export function DurationInput({ label, description, value, error, onChange }: DurationInputProps) {
  return (
    <TextInput
      label={label}
      description={description}
      required
      withAsterisk={false}
      inputMode="decimal"
      autoComplete="off"
      value={value.amount}
      error={error}
      onChange={(event) => onChange({ ...value, amount: event.currentTarget.value })}
      rightSectionWidth="6.25rem"
      rightSectionPointerEvents="all"
      rightSection={
        <select
          aria-label={`Unit of ${label}`}
          className="unit"
          value={value.unit}
          onChange={({ currentTarget: { value: unit } }) => isUnit(unit) && onChange({ ...value, unit })}
        >
          {UNITS.map((unit) => (
            <option key={unit}>{unit}</option>
          ))}
        </select>
      }
    />
  );
}
