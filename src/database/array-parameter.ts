/** The oids of pg_type. */
const BYTEA = 17;
const TEXT = 25;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/**
 * A parameter of type text[] in PostgreSQL's binary format (its array_recv). The text that `pg` makes of an array has
 * to be escaped here and read character by character there: measured at a tenth of the time of an added activity.
 */
export function textArray(values: (string | null)[]): Buffer {
  return arrayOf(TEXT, values, Buffer.byteLength, (target, value, offset) => target.write(value, offset));
}

/** The same of type bytea[]. */
export function byteaArray(values: Uint8Array[]): Buffer {
  return arrayOf(
    BYTEA,
    values,
    ({ length }) => length,
    (target, value, offset) => {
      target.set(value, offset);
      return value.length;
    },
  );
}

/** A parameter that is an array of numbers or uuids, whose texts need no quotes. */
export function plainArray(values: (number | string)[]): string {
  return `{${values.join(",")}}`;
}

/** `write` returns how many bytes it wrote. */
function arrayOf<Value>(
  elementType: number,
  values: (Value | null)[],
  bytesOf: (value: Value) => number,
  write: (target: Buffer, value: Value, offset: number) => number,
): Buffer {
  let size = HEADER_BYTES;
  let hasNull = false;
  for (const value of values) {
    size += LENGTH_BYTES;
    if (value === null) hasNull = true;
    else size += bytesOf(value);
  }
  const array = Buffer.allocUnsafe(size);
  writeHeader(array, elementType, values.length, hasNull);
  let offset = HEADER_BYTES;
  for (const value of values) {
    const written = value === null ? NULL_LENGTH : write(array, value, offset + LENGTH_BYTES);
    array.writeInt32BE(written, offset);
    offset += LENGTH_BYTES + Math.max(written, 0);
  }
  return array;
}

/** One dimension, its elements counted from 1; also of no elements. */
function writeHeader(array: Buffer, elementType: number, count: number, hasNull: boolean): void {
  array.writeInt32BE(1, 0);
  array.writeInt32BE(hasNull ? 1 : 0, 4);
  array.writeInt32BE(elementType, 8);
  array.writeInt32BE(count, 12);
  array.writeInt32BE(1, 16);
}
