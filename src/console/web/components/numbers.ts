import { LOCALE } from "./locale.ts";

const COUNT = new Intl.NumberFormat(LOCALE);
const DECIMAL = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const BYTE_UNITS = ["bytes", "KB", "MB", "GB", "TB"];

export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Returns a count with its noun, such as "3 activities". */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Returns a share from 0 to 1 in percent, such as "0.6%". */
export function formatShare(share: number): string {
  return `${DECIMAL.format(share * 100)}%`;
}

/** Returns a size such as "12.3 MB", in powers of 1000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), BYTE_UNITS.length - 1);
  return `${DECIMAL.format(bytes / 1000 ** power)} ${BYTE_UNITS[power]}`;
}
