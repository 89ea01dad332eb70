/** Timestamps of log lines, from bytes, as milliseconds since 1970 UTC. A time without a zone is taken as UTC. */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

/** Remembers the last timestamp: in a log the next one is usually in the same second. */
export class Timestamps {
  #last = new Uint8Array(40);
  #lastLength = -1;
  #lastMs = Number.NaN;

  /**
   * "10/Feb/2012:16:42:07 -0500", "2012-02-10T16:42:07.123Z" (also with a blank for the T), or a number of seconds,
   * milliseconds or microseconds. NaN for anything else.
   */
  parse(buffer: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const last = this.#last;
    if (length === this.#lastLength) {
      // Compared from the end, where they differ.
      let i = length - 1;
      while (i >= 0 && last[i] === buffer[start + i]) i--;
      if (i < 0) return this.#lastMs;
    }
    const ms = parseTime(buffer, start, end);
    if (length <= last.length) {
      this.#lastLength = length;
      this.#lastMs = ms;
      for (let i = 0; i < length; i++) last[i] = buffer[start + i]!;
    }
    return ms;
  }
}

function parseTime(buffer: Uint8Array, start: number, end: number): number {
  if (buffer[start + 2] === SLASH || buffer[start + 1] === SLASH) return parseCommon(buffer, start, end);
  if (buffer[start + 4] === DASH) {
    const dayMs = parseDate(buffer, start, start + 10);
    if (start + 10 >= end) return dayMs;
    return dayMs + parseClock(buffer, start + 11, end);
  }
  return parseEpoch(buffer, start, end);
}

const SLASH = 0x2f;
const DASH = 0x2d;
const COLON = 0x3a;
const DOT = 0x2e;

/** "10/Feb/2012:16:42:07 -0500", also with a fraction and without a zone (HAProxy), also "1/Feb/...". */
function parseCommon(buffer: Uint8Array, start: number, end: number): number {
  const dayEnd = buffer[start + 2] === SLASH ? start + 2 : start + 1;
  if (dayEnd + 9 >= end) return Number.NaN;
  return parseDate(buffer, start, dayEnd + 9) + parseClock(buffer, dayEnd + 10, end);
}

/** "2012-02-10", "2012/02/10", "10/Feb/2012", "1/Feb/2012". */
export function parseDate(buffer: Uint8Array, start: number, end: number): number {
  const monthAt = end - 8;
  if (buffer[monthAt - 1] === SLASH && buffer[monthAt + 3] === SLASH) {
    const day = digits(buffer, start, monthAt - 1);
    return utcDay(digits(buffer, end - 4, end), monthOf(buffer, monthAt), day);
  }
  if (end - start !== 10) return Number.NaN;
  const month = digits(buffer, start + 5, start + 7);
  return utcDay(digits(buffer, start, start + 4), month - 1, digits(buffer, start + 8, end));
}

/** "16:42:07", with an optional fraction and zone: milliseconds since midnight UTC (of the zone's day). */
export function parseClock(buffer: Uint8Array, start: number, end: number): number {
  if (end - start < 8 || buffer[start + 2] !== COLON || buffer[start + 5] !== COLON) return Number.NaN;
  const hours = digits(buffer, start, start + 2);
  const minutes = digits(buffer, start + 3, start + 5);
  const seconds = digits(buffer, start + 6, start + 8);
  // 60 is a leap second.
  if (hours > 23 || minutes > 59 || seconds > 60) return Number.NaN;
  let ms = hours * 3_600_000 + minutes * MINUTE_MS + seconds * 1000;
  let at = start + 8;
  if (buffer[at] === DOT || buffer[at] === 0x2c) {
    let unit = 100;
    for (at++; at < end && isDigit(buffer[at]!); at++) {
      ms += Math.floor((buffer[at]! - 48) * unit);
      unit /= 10;
    }
  }
  if (buffer[at] === 0x20) at++;
  if (at >= end) return ms;
  return ms - zoneMs(buffer, at, end);
}

/** "Z", "+0200", "-05:30", "UTC", "GMT". */
function zoneMs(buffer: Uint8Array, start: number, end: number): number {
  const sign = buffer[start] === 0x2b ? 1 : buffer[start] === DASH ? -1 : 0;
  if (sign === 0) {
    const letter = buffer[start]! | 0x20;
    return letter === 0x7a || letter === 0x75 || letter === 0x67 ? 0 : Number.NaN;
  }
  const minutesAt = buffer[start + 3] === COLON ? start + 4 : start + 3;
  if (minutesAt + 2 > end) return Number.NaN;
  return sign * MINUTE_MS * (digits(buffer, start + 1, start + 3) * 60 + digits(buffer, minutesAt, minutesAt + 2));
}

/** Seconds, milliseconds or microseconds, known by their size: no log is from before 1973. */
function parseEpoch(buffer: Uint8Array, start: number, end: number): number {
  if (end === start) return Number.NaN;
  let value = 0;
  let scale = 0;
  for (let i = start; i < end; i++) {
    if (buffer[i] === DOT && scale === 0) {
      scale = 1;
    } else if (isDigit(buffer[i]!)) {
      value = value * 10 + (buffer[i]! - 48);
      scale *= 10;
    } else {
      return Number.NaN;
    }
  }
  return epochMs(value / Math.max(1, scale));
}

export function epochMs(value: number): number {
  if (value < 1e11) return Math.floor(value * 1000);
  return Math.floor(value < 1e14 ? value : value < 1e17 ? value / 1e3 : value / 1e6);
}

/** Days in the proleptic Gregorian calendar, counted from years that begin in March. */
function utcDay(year: number, month: number, day: number): number {
  if (!(month >= 0 && month <= 11 && day >= 1 && day <= 31)) return Number.NaN;
  const y = month < 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5) + day - 1;
  return (365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468) * DAY_MS;
}

/** NaN where one is not a digit. */
function digits(buffer: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    if (!isDigit(buffer[i]!)) return Number.NaN;
    value = value * 10 + (buffer[i]! - 48);
  }
  return value;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** 0 .. 11, or -1. */
function monthOf(buffer: Uint8Array, at: number): number {
  const a = buffer[at]! | 0x20;
  const b = buffer[at + 1]! | 0x20;
  const c = buffer[at + 2]! | 0x20;
  for (let i = 0; i < 36; i += 3) {
    if (MONTHS.charCodeAt(i) === a && MONTHS.charCodeAt(i + 1) === b && MONTHS.charCodeAt(i + 2) === c) return i / 3;
  }
  return -1;
}
