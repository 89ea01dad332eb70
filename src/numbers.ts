/** Numbers for people, one way everywhere: terminal, report, web app. */

/** As toLocaleString("en-US"), whose first call loads tables for longer than most commands need to print. */
export function count(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21
    ? `${value}`.replace(/\B(?=(\d{3})+$)/g, ",")
    : value.toLocaleString("en-US");
}

/** "1 line", "2 lines". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A sentence may begin with it. */
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** An expected number of pages: "less than one page", "about 12 pages". */
export function expectedPages(value: number): string {
  return value < 1 ? "less than one page" : `about ${counted(Math.round(value), "page")}`;
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

/** "812 B", "1.5 kB", "15 MB": two digits, in steps of a thousand. */
export function bytes(value: number): string {
  let scaled = Math.round(value);
  let unit = 0;
  while (scaled >= (unit === 0 ? 1000 : 999.5) && unit < byteUnits.length - 1) {
    scaled /= 1000;
    unit++;
  }
  return `${unit > 0 && scaled < 9.95 ? scaled.toFixed(1) : scaled.toFixed(0)} ${byteUnits[unit]}`;
}

export function duration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = seconds < 60 ? Math.ceil(seconds) : Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Two digits: "48%", "4.8%", "0.48%". What is not quite all or nothing is not called so: "99.9%", "<0.01%". */
export function percent(share: number): string {
  const value = 100 * share;
  if (value > 0 && value < 0.01) return "<0.01%";
  if (value > 99 && value < 100) return `${Math.floor(10 * value) / 10}%`;
  return `${value === 0 || value >= 9.95 ? value.toFixed(0) : value.toPrecision(2)}%`;
}
